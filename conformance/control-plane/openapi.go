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
// enumerations that published documents leave out, the kinds that Go clients register, and `nullable` on properties that
// the server sends as null when they have no value. Descriptions are dropped.
func printOpenAPI(prefixes []string) {
	if len(prefixes) == 0 {
		fmt.Fprintln(os.Stderr, "usage: control-plane openapi PREFIX...")
		os.Exit(2)
	}
	schemas := map[string]any{}
	definitions := openapi.GetOpenAPIDefinitions(func(name string) spec.Ref {
		return spec.MustCreateRef("#/components/schemas/" + name)
	})
	registered, err := registeredTypes()
	if err != nil {
		fail("registering kinds", err)
	}
	kinds := kindsByName(registered)
	nulls, err := nullsByName(registered)
	if err != nil {
		fail("looking for nulls", err)
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
		for _, key := range nulls[name] {
			if property, ok := described["properties"].(map[string]any)[key].(map[string]any); ok {
				property["nullable"] = true
			}
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

// registeredTypes gives the Go type of every kind in the clients' schemes.
func registeredTypes() (map[schema.GroupVersionKind]reflect.Type, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		kubernetes.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme, apidiscovery.AddToScheme,
		meta.AddMetaToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return scheme.AllKnownTypes(), nil
}

// modelName gives the name of a Go type's schema, or "".
func modelName(goType reflect.Type) string {
	if named, ok := reflect.New(goType).Interface().(interface{ OpenAPIModelName() string }); ok {
		return named.OpenAPIModelName()
	}
	return ""
}

// kindsByName gives the kinds that each schema's Go type is registered as.
func kindsByName(registered map[schema.GroupVersionKind]reflect.Type) map[string][]groupVersionKind {
	kinds := map[string][]groupVersionKind{}
	for gvk, goType := range registered {
		if name := modelName(goType); name != "" && gvk.Version != runtime.APIVersionInternal {
			kinds[name] = append(kinds[name], groupVersionKind{gvk.Group, gvk.Version, gvk.Kind})
		}
	}
	for _, of := range kinds {
		slices.SortFunc(of, func(a, b groupVersionKind) int {
			return strings.Compare(a.Group+"/"+a.Version+"/"+a.Kind, b.Group+"/"+b.Version+"/"+b.Kind)
		})
	}
	return kinds
}

// nullsByName gives the properties of each schema that its Go type encodes as null when they have no value: nil
// slices, maps and pointers, and zero times, that are not left out.
func nullsByName(registered map[schema.GroupVersionKind]reflect.Type) (map[string][]string, error) {
	seen := map[reflect.Type]bool{}
	for _, goType := range registered {
		collectStructs(goType, seen)
	}
	nulls := map[string][]string{}
	for goType := range seen {
		name := modelName(goType)
		if name == "" {
			continue
		}
		encoded, err := json.Marshal(reflect.New(goType).Interface())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var members map[string]any
		if json.Unmarshal(encoded, &members) != nil {
			continue // encoded as a string or the like: no properties
		}
		for key, value := range members {
			if value == nil {
				nulls[name] = append(nulls[name], key)
			}
		}
	}
	return nulls, nil
}

func collectStructs(goType reflect.Type, seen map[reflect.Type]bool) {
	switch goType.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		collectStructs(goType.Elem(), seen)
	case reflect.Struct:
		if seen[goType] {
			return
		}
		seen[goType] = true
		for i := range goType.NumField() {
			collectStructs(goType.Field(i).Type, seen)
		}
	}
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
