package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

type server struct {
	Host    string `json:"host"`
	APIPath string `json:"apiPath"`
	Group   string `json:"group"`
	Version string `json:"version"`
	TLS     bool   `json:"tls"`
}

// What a RESTClient makes of a server's URL.
func (s server) url() (*url.URL, string, error) {
	gv := schema.GroupVersion{Group: s.Group, Version: s.Version}
	base, versioned, err := rest.DefaultServerURL(s.Host, s.APIPath, gv, s.TLS)
	if err != nil {
		return nil, "", err
	}
	if !strings.HasSuffix(base.Path, "/") {
		base.Path += "/"
	}
	base.RawQuery, base.Fragment = "", ""
	return base, versioned, nil
}

// A step of building a request: a method's name and its arguments.
type step struct {
	Method  string          `json:"method"`
	Args    []string        `json:"args"`
	Options json.RawMessage `json:"options"`
}

func (s step) apply(r *rest.Request) error {
	arg := ""
	if len(s.Args) > 0 {
		arg = s.Args[0]
	}
	switch s.Method {
	case "prefix":
		r.Prefix(s.Args...)
	case "suffix":
		r.Suffix(s.Args...)
	case "resource":
		r.Resource(arg)
	case "subResource":
		r.SubResource(s.Args...)
	case "name":
		r.Name(arg)
	case "namespace":
		r.Namespace(arg)
	case "absPath":
		r.AbsPath(s.Args...)
	case "requestURI":
		r.RequestURI(arg)
	case "param":
		r.Param(s.Args[0], s.Args[1])
	case "timeout":
		d, err := time.ParseDuration(arg)
		if err != nil {
			return err
		}
		r.Timeout(d)
	case "listOptions":
		var options metav1.ListOptions
		if err := json.Unmarshal(s.Options, &options); err != nil {
			return err
		}
		r.SpecificallyVersionedParams(&options, scheme.ParameterCodec, schema.GroupVersion{Version: "v1"})
	default:
		return fmt.Errorf("there is no step %q", s.Method)
	}
	return nil
}

func init() {
	register("url.server", func(in server) (any, error) {
		base, versioned, err := in.url()
		if err != nil {
			return nil, err
		}
		return map[string]string{"base": base.String(), "versioned": versioned}, nil
	})
	register("url.request", func(in struct {
		server
		Steps []step `json:"steps"`
	}) (any, error) {
		base, versioned, err := in.url()
		if err != nil {
			return nil, err
		}
		client, err := rest.NewRESTClient(base, versioned, rest.ClientContentConfig{}, nil, http.DefaultClient)
		if err != nil {
			return nil, err
		}
		r := client.Get()
		for _, s := range in.Steps {
			if err := s.apply(r); err != nil {
				return nil, wrongQuestion{err}
			}
		}
		if err := r.Error(); err != nil {
			return nil, err
		}
		return r.URL().String(), nil
	})
}
