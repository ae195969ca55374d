package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

var typeConverter = applyconfigurations.NewTypeConverter(scheme.Scheme)

// typeOf is the type of a built-in kind by its group, version and kind, of others the type "root" of a schema in YAML.
func typeOf(apiVersion, kind, yaml string) (typed.ParseableType, error) {
	if yaml != "" {
		parser, err := typed.NewParser(typed.YAMLObject(yaml))
		if err != nil {
			return typed.ParseableType{}, wrongQuestion{err}
		}
		return parser.Type("root"), nil
	}
	if kind == "" {
		return typed.DeducedParseableType, nil
	}
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetAPIVersion(apiVersion)
	u.SetKind(kind)
	tv, err := typeConverter.ObjectToTyped(u)
	if err != nil {
		return typed.ParseableType{}, wrongQuestion{err}
	}
	return typed.ParseableType{TypeRef: tv.TypeRef(), Schema: tv.Schema()}, nil
}

// decoded reads JSON as the API machinery does: whole numbers as integers.
func decoded(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	wrapped := &unstructured.Unstructured{}
	text := append(append([]byte(`{"apiVersion":"v1","kind":"x","value":`), raw...), '}')
	if err := wrapped.UnmarshalJSON(text); err != nil {
		panic(err)
	}
	return wrapped.Object["value"]
}

type typedOutcome struct {
	Value any    `json:"value"`
	Error string `json:"error,omitempty"`
}

func typedOutcomeOf(v any, err error) typedOutcome {
	if err != nil {
		return typedOutcome{Error: err.Error()}
	}
	return typedOutcome{Value: v}
}

func plain(tv *typed.TypedValue) any {
	if tv.AsValue() == nil {
		return nil
	}
	return tv.AsValue().Unstructured()
}

func init() {
	register("managedfields.typed", func(in struct {
		APIVersion, Kind, Schema string
		LHS, RHS                 json.RawMessage
		Set                      json.RawMessage
		AllowDuplicates          bool
	}) (any, error) {
		t, err := typeOf(in.APIVersion, in.Kind, in.Schema)
		if err != nil {
			return nil, err
		}
		set, err := setFrom(in.Set)
		if err != nil {
			return nil, err
		}
		opts := []typed.ValidationOptions{}
		if in.AllowDuplicates {
			opts = append(opts, typed.AllowDuplicates)
		}
		lhs, err := t.FromUnstructured(decoded(in.LHS), opts...)
		if err != nil {
			return nil, err
		}
		rhs, err := t.FromUnstructured(decoded(in.RHS), opts...)
		if err != nil {
			return nil, err
		}
		fields, err := lhs.ToFieldSet()
		if err != nil {
			return nil, err
		}
		result := map[string]any{
			"fields":  describeSet(fields),
			"named":   describeSet(fields.EnsureNamedFieldsAreMembers(t.Schema, t.TypeRef)),
			"removed": plain(lhs.RemoveItems(set)),
			"extract": plain(lhs.ExtractItems(set)),
			"keys":    plain(lhs.ExtractItems(set, typed.WithAppendKeyFields())),
		}
		if merged, err := lhs.Merge(rhs); err != nil {
			result["merged"] = typedOutcomeOf(nil, err)
		} else {
			result["merged"] = typedOutcomeOf(plain(merged), nil)
		}
		if comparison, err := lhs.Compare(rhs); err != nil {
			result["compared"] = typedOutcomeOf(nil, err)
		} else {
			result["compared"] = typedOutcomeOf(map[string]any{
				"added":    describeSet(comparison.Added),
				"removed":  describeSet(comparison.Removed),
				"modified": describeSet(comparison.Modified),
			}, nil)
		}
		if reconciled, err := typed.ReconcileFieldSetWithSchema(set, lhs); err != nil {
			result["reconciled"] = typedOutcomeOf(nil, err)
		} else {
			if reconciled == nil {
				reconciled = set
			}
			result["reconciled"] = typedOutcomeOf(describeSet(reconciled), nil)
		}
		return result, nil
	})

	register("managedfields.values", func(in struct {
		A, B json.RawMessage
	}) (any, error) {
		a, b := value.NewValueInterface(decoded(in.A)), value.NewValueInterface(decoded(in.B))
		return map[string]any{
			"compare": value.Compare(a, b),
			"equal":   value.Equals(a, b),
			"text":    value.ToString(a),
			"syntax":  fmt.Sprintf("%#v", decoded(in.A)),
			"verb":    fmt.Sprintf("%v", decoded(in.A)),
			"type":    fmt.Sprintf("%T", decoded(in.A)),
		}, nil
	})
}
