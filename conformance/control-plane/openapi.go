package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubernetes "k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// printOpenAPI writes to standard output, as one JSON object, the OpenAPI v3 schemas compiled into Kubernetes whose
// names begin with one of the prefixes given: those of API versions that are no longer served included, with the
// enumerations that published documents leave out, and the kinds that Go clients register. Descriptions are dropped.
func printOpenAPI(prefixes []string) {
	if len(prefixes) == 0 {
		fmt.Fprintln(os.Stderr, "usage: control-plane openapi PREFIX...")
		os.Exit(2)
	}
	schemas := map[string]any{}
	definitions := openapi.GetOpenAPIDefinitions(func(name string) spec.Ref {
		return spec.MustCreateRef("#/components/schemas/" + name)
	})
	kinds, err := registeredKinds()
	if err != nil {
		fail("registering kinds", err)
	}
	for name, definition := range definitions {
		if !hasPrefix(name, prefixes) {
			continue
		}
		described, err := facts(definition)
		if err != nil {
			fail("reading the schema of "+name, err)
		}
		if of := kinds[name]; len(of) > 0 {
			described["x-kubernetes-group-version-kind"] = of
		}
		schemas[name] = described
	}
	if err := json.NewEncoder(os.Stdout).Encode(schemas); err != nil {
		fail("writing the schemas", err)
	}
}

func hasPrefix(name string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

type groupVersionKind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// registeredKinds gives the kinds that each schema's Go type is registered as in the clients' schemes.
func registeredKinds() (map[string][]groupVersionKind, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		kubernetes.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme, apidiscovery.AddToScheme,
		meta.AddMetaToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	kinds := map[string][]groupVersionKind{}
	for gvk, goType := range scheme.AllKnownTypes() {
		named, ok := reflect.New(goType).Interface().(interface{ OpenAPIModelName() string })
		if ok && gvk.Version != runtime.APIVersionInternal {
			name := named.OpenAPIModelName()
			kinds[name] = append(kinds[name], groupVersionKind{gvk.Group, gvk.Version, gvk.Kind})
		}
	}
	for _, of := range kinds {
		slices.SortFunc(of, func(a, b groupVersionKind) int {
			return strings.Compare(schema.GroupVersion{Group: a.Group, Version: a.Version}.String()+a.Kind,
				schema.GroupVersion{Group: b.Group, Version: b.Version}.String()+b.Kind)
		})
	}
	return kinds, nil
}

func facts(definition common.OpenAPIDefinition) (map[string]any, error) {
	encoded, err := json.Marshal(definition.Schema)
	if err != nil {
		return nil, err
	}
	var result map[string]any
	if err := json.Unmarshal(encoded, &result); err != nil {
		return nil, err
	}
	delete(result, common.ExtensionV2Schema)
	withoutDescriptions(result)
	return result, nil
}

// withoutDescriptions works on a schema: there, a description that is a string is text; a property of that name is
// an object.
func withoutDescriptions(value any) {
	switch value := value.(type) {
	case map[string]any:
		if _, isText := value["description"].(string); isText {
			delete(value, "description")
		}
		for _, member := range value {
			withoutDescriptions(member)
		}
	case []any:
		for _, member := range value {
			withoutDescriptions(member)
		}
	}
}
