package main

import (
	yamlv2 "go.yaml.in/yaml/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/yaml"
)

func init() {
	// The schema by which client-go extracts apply configurations: every built-in type.
	register("mergeSchema.types", func(struct{}) (any, error) {
		object := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}}
		typed, err := applyconfigurations.NewTypeConverter(scheme.Scheme).ObjectToTyped(object)
		if err != nil {
			return nil, err
		}
		return schemaTypes(typed.Schema())
	})
	// The schema that kube-apiserver makes of an OpenAPI schema, whose type is named root.
	register("mergeSchema.openapi", func(in struct {
		Schema                *spec.Schema `json:"schema"`
		PreserveUnknownFields bool         `json:"preserveUnknownFields"`
	}) (any, error) {
		models := map[string]*spec.Schema{"root": in.Schema}
		made, err := schemaconv.ToSchemaFromOpenAPI(models, in.PreserveUnknownFields)
		if err != nil {
			return nil, err
		}
		return schemaTypes(made)
	})
}

// schemaTypes goes through YAML, which alone can write the defaults.
func schemaTypes(s *schema.Schema) (any, error) {
	text, err := yamlv2.Marshal(s.Types)
	if err != nil {
		return nil, err
	}
	return raw(yaml.YAMLToJSON(text))
}
