package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// nested is a question about a field: the object as the API's decoder reads it, and the way to the field.
type nested struct {
	Object json.RawMessage `json:"object"`
	Fields []string        `json:"fields"`
	Value  json.RawMessage `json:"value"`
}

type found struct {
	Value any  `json:"value"`
	Found bool `json:"found"`
}

func (n nested) object() (map[string]any, error) {
	object := map[string]any{}
	err := utiljson.Unmarshal(n.Object, &object)
	return object, err
}

func registerNested[T any](name string, read func(map[string]any, ...string) (T, bool, error)) {
	register("unstructured."+name, func(in nested) (any, error) {
		object, err := in.object()
		if err != nil {
			return nil, wrongQuestion{err}
		}
		value, isFound, err := read(object, in.Fields...)
		if err != nil {
			return nil, err
		}
		return found{value, isFound}, nil
	})
}

func init() {
	registerNested("nestedFieldCopy", unstructured.NestedFieldCopy)
	registerNested("nestedFieldNoCopy", unstructured.NestedFieldNoCopy)
	registerNested("nestedString", unstructured.NestedString)
	registerNested("nestedBool", unstructured.NestedBool)
	registerNested("nestedInt64", unstructured.NestedInt64)
	registerNested("nestedNumberAsFloat64", unstructured.NestedNumberAsFloat64)
	registerNested("nestedStringSlice", unstructured.NestedStringSlice)
	registerNested("nestedSlice", unstructured.NestedSlice)
	registerNested("nestedStringMap", unstructured.NestedStringMap)
	registerNested("nestedNullCoercingStringMap", unstructured.NestedNullCoercingStringMap)
	registerNested("nestedMap", unstructured.NestedMap)

	register("unstructured.setNestedField", func(in nested) (any, error) {
		object, err := in.object()
		if err != nil {
			return nil, wrongQuestion{err}
		}
		var value any
		if err := utiljson.Unmarshal(in.Value, &value); err != nil {
			return nil, wrongQuestion{err}
		}
		if err := unstructured.SetNestedField(object, value, in.Fields...); err != nil {
			return nil, err
		}
		return object, nil
	})
	register("unstructured.removeNestedField", func(in nested) (any, error) {
		object, err := in.object()
		if err != nil {
			return nil, wrongQuestion{err}
		}
		unstructured.RemoveNestedField(object, in.Fields...)
		return object, nil
	})
}
