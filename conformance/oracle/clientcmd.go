package main

import (
	"net/http"
	"net/url"
	"slices"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	apiv1 "k8s.io/client-go/tools/clientcmd/api/v1"
)

type overrides struct {
	CurrentContext  string         `json:"currentContext"`
	Context         apiv1.Context  `json:"context"`
	ClusterInfo     apiv1.Cluster  `json:"clusterInfo"`
	ClusterDefaults apiv1.Cluster  `json:"clusterDefaults"`
	AuthInfo        apiv1.AuthInfo `json:"authInfo"`
	Timeout         string         `json:"timeout"`
}

func (o overrides) convert() (*clientcmd.ConfigOverrides, error) {
	out := &clientcmd.ConfigOverrides{CurrentContext: o.CurrentContext, Timeout: o.Timeout}
	for _, convert := range []func() error{
		func() error { return apiv1.Convert_v1_Context_To_api_Context(&o.Context, &out.Context, nil) },
		func() error { return apiv1.Convert_v1_Cluster_To_api_Cluster(&o.ClusterInfo, &out.ClusterInfo, nil) },
		func() error {
			return apiv1.Convert_v1_Cluster_To_api_Cluster(&o.ClusterDefaults, &out.ClusterDefaults, nil)
		},
		func() error { return apiv1.Convert_v1_AuthInfo_To_api_AuthInfo(&o.AuthInfo, &out.AuthInfo, nil) },
	} {
		if err := convert(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

type tlsConfig struct {
	Insecure   bool   `json:"insecure,omitempty"`
	ServerName string `json:"serverName,omitempty"`
	CAFile     string `json:"caFile,omitempty"`
	CertFile   string `json:"certFile,omitempty"`
	KeyFile    string `json:"keyFile,omitempty"`
	CAData     string `json:"caData,omitempty"`
	CertData   string `json:"certData,omitempty"`
	KeyData    string `json:"keyData,omitempty"`
}

type impersonation struct {
	UserName string              `json:"userName,omitempty"`
	UID      string              `json:"uid,omitempty"`
	Groups   []string            `json:"groups,omitempty"`
	Extra    map[string][]string `json:"extra,omitempty"`
}

type execProvider struct {
	Command            string                  `json:"command"`
	APIVersion         string                  `json:"apiVersion"`
	Args               []string                `json:"args,omitempty"`
	Env                []api.ExecEnvVar        `json:"env,omitempty"`
	InstallHint        string                  `json:"installHint,omitempty"`
	ProvideClusterInfo bool                    `json:"provideClusterInfo"`
	InteractiveMode    api.ExecInteractiveMode `json:"interactiveMode,omitempty"`
}

type config struct {
	Host               string         `json:"host"`
	Username           string         `json:"username,omitempty"`
	Password           string         `json:"password,omitempty"`
	BearerToken        string         `json:"bearerToken,omitempty"`
	BearerTokenFile    string         `json:"bearerTokenFile,omitempty"`
	Impersonate        *impersonation `json:"impersonate,omitempty"`
	Exec               *execProvider  `json:"exec,omitempty"`
	TLS                tlsConfig      `json:"tls"`
	Proxy              string         `json:"proxy,omitempty"`
	Milliseconds       int64          `json:"milliseconds,omitempty"`
	DisableCompression bool           `json:"disableCompression,omitempty"`
}

func describeConfig(c *rest.Config) (config, error) {
	out := config{
		Host:            c.Host,
		Username:        c.Username,
		Password:        c.Password,
		BearerToken:     c.BearerToken,
		BearerTokenFile: c.BearerTokenFile,
		TLS: tlsConfig{
			c.Insecure, c.ServerName, c.CAFile, c.CertFile, c.KeyFile,
			string(c.CAData), string(c.CertData), string(c.KeyData),
		},
		Milliseconds:       c.Timeout.Milliseconds(),
		DisableCompression: c.DisableCompression,
	}
	if i := c.Impersonate; i.UserName != "" {
		out.Impersonate = &impersonation{i.UserName, i.UID, i.Groups, i.Extra}
	}
	if e := c.ExecProvider; e != nil {
		out.Exec = &execProvider{e.Command, e.APIVersion, e.Args, e.Env, e.InstallHint, e.ProvideClusterInfo, e.InteractiveMode}
	}
	if c.Proxy != nil {
		proxy, err := c.Proxy(&http.Request{URL: &url.URL{Scheme: "https", Host: "x"}})
		if err != nil {
			return out, err
		}
		out.Proxy = proxy.String()
	}
	return out, nil
}

// Each of the three may fail on its own.
type outcome struct {
	Result any     `json:"result,omitempty"`
	Error  *string `json:"error,omitempty"`
}

func outcomeOf(result any, err error) outcome {
	if err != nil {
		text := err.Error()
		return outcome{Error: &text}
	}
	return outcome{Result: result}
}

// Sorted, because validation goes through maps.
func problemsOf(err error) []string {
	problems := []string{}
	if err == nil {
		return problems
	}
	aggregate, isAggregate := err.(interface{ Errors() []error })
	if !isAggregate {
		return append(problems, err.Error())
	}
	for _, err := range aggregate.Errors() {
		problems = append(problems, err.Error())
	}
	slices.Sort(problems)
	return problems
}

func init() {
	register("clientcmd.resolve", func(in struct {
		ExplicitPath string    `json:"explicitPath"`
		Precedence   []string  `json:"precedence"`
		Overrides    overrides `json:"overrides"`
	}) (any, error) {
		rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: in.ExplicitPath, Precedence: in.Precedence}
		overridden, err := in.Overrides.convert()
		if err != nil {
			return nil, wrongQuestion{err}
		}
		client := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overridden)
		out := map[string]outcome{}

		resolved, err := client.ClientConfig()
		if err == nil {
			var described config
			described, err = describeConfig(resolved)
			out["config"] = outcomeOf(described, err)
		} else {
			out["config"] = outcomeOf(nil, err)
		}

		namespace, isOverridden, err := client.Namespace()
		out["namespace"] = outcomeOf(map[string]any{"namespace": namespace, "overridden": isOverridden}, err)

		raw, err := rules.Load()
		if err != nil {
			out["problems"] = outcomeOf(nil, err)
		} else {
			out["problems"] = outcomeOf(problemsOf(clientcmd.Validate(*raw)), nil)
		}
		return out, nil
	})
	register("clientcmd.load", func(in struct {
		Precedence []string `json:"precedence"`
	}) (any, error) {
		rules := &clientcmd.ClientConfigLoadingRules{Precedence: in.Precedence}
		loaded, err := rules.Load()
		if err != nil {
			return nil, err
		}
		var written apiv1.Config
		if err := apiv1.Convert_api_Config_To_v1_Config(loaded, &written, nil); err != nil {
			return nil, err
		}
		return written, nil
	})
}
