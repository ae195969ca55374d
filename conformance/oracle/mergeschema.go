package main

import (
	"encoding/json"

	yamlv2 "go.yaml.in/yaml/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
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
		// Its defaults are maps that only YAML can write.
		text, err := yamlv2.Marshal(typed.Schema().Types)
		if err != nil {
			return nil, err
		}
		converted, err := yaml.YAMLToJSON(text)
		return json.RawMessage(converted), err
	})
}
