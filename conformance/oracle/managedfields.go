package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/csaupgrade"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
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

func setFrom(raw json.RawMessage) (*fieldpath.Set, error) {
	set := &fieldpath.Set{}
	if len(raw) == 0 {
		return set, nil
	}
	return set, set.FromJSON(bytes.NewReader(raw))
}

type describedSet struct {
	Fields string `json:"fields"`
	Text   string `json:"text"`
	Size   int    `json:"size"`
	Empty  bool   `json:"empty"`
}

func describeSet(set *fieldpath.Set) describedSet {
	raw, err := set.ToJSON()
	if err != nil {
		panic(err)
	}
	return describedSet{string(raw), set.String(), set.Size(), set.Empty()}
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

// convertor changes the version's name alone, among those it knows.
type convertor struct{ versions []string }

func (c convertor) Convert(in, out, context any) error { return nil }
func (c convertor) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	return "", "", fmt.Errorf("not implemented")
}
func (c convertor) ConvertToVersion(in runtime.Object, versioner runtime.GroupVersioner) (runtime.Object, error) {
	gv := versioner.(schema.GroupVersion)
	u := in.(*unstructured.Unstructured)
	if u.GetAPIVersion() == gv.String() {
		return in, nil
	}
	for _, version := range c.versions {
		if version == gv.String() {
			out := u.DeepCopy()
			out.SetAPIVersion(version)
			return out, nil
		}
	}
	return nil, runtime.NewNotRegisteredErrForKind("oracle", gv.WithKind(u.GetKind()))
}

type nothing struct{ empty map[string]any }

func (nothing) Default(runtime.Object) {}
func (n nothing) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(n.empty)}
	u.SetGroupVersionKind(gvk)
	return u, nil
}

type fieldStep struct {
	Verb    string         `json:"verb"`
	Object  map[string]any `json:"object"`
	Manager string         `json:"manager"`
	Force   bool           `json:"force"`
}

func (s *fieldStep) UnmarshalJSON(text []byte) error {
	var raw struct {
		Verb, Manager string
		Force         bool
		Object        json.RawMessage
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	s.Verb, s.Manager, s.Force = raw.Verb, raw.Manager, raw.Force
	s.Object, _ = decoded(raw.Object).(map[string]any)
	return nil
}

type fieldResult struct {
	Object map[string]any `json:"object,omitempty"`
	Error  string         `json:"error,omitempty"`
	Causes []string       `json:"causes,omitempty"`
	Code   int32          `json:"code,omitempty"`
}

// dated gives entries of this run the time of their step: runs take no notice of the clock.
func dated(object map[string]any, step int) {
	u := &unstructured.Unstructured{Object: object}
	entries := u.GetManagedFields()
	recent := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range entries {
		if entries[i].Time != nil && entries[i].Time.After(recent) {
			entries[i].Time = &metav1.Time{Time: time.Date(2001, 1, 1, 0, 0, step, 0, time.UTC)}
		}
	}
	if entries != nil {
		u.SetManagedFields(entries)
	}
}

func init() {
	register("managedfields.sets", func(in struct {
		A, B json.RawMessage
	}) (any, error) {
		a, err := setFrom(in.A)
		if err != nil {
			return nil, err
		}
		b, err := setFrom(in.B)
		if err != nil {
			return nil, err
		}
		shared := []bool{}
		b.Iterate(func(p fieldpath.Path) { shared = append(shared, a.Has(p)) })
		prefixed := []describedSet{}
		a.Children.Iterate(func(pe fieldpath.PathElement) { prefixed = append(prefixed, describeSet(b.WithPrefix(pe))) })
		return map[string]any{
			"a":                   describeSet(a),
			"b":                   describeSet(b),
			"union":               describeSet(a.Union(b)),
			"intersection":        describeSet(a.Intersection(b)),
			"difference":          describeSet(a.Difference(b)),
			"recursiveDifference": describeSet(a.RecursiveDifference(b)),
			"leaves":              describeSet(a.Leaves()),
			"equal":               a.Equals(b),
			"has":                 shared,
			"withPrefix":          prefixed,
		}, nil
	})

	register("managedfields.filters", func(in struct {
		Set, Exclude json.RawMessage
		// "*" stands for any element; others are elements as FieldsV1 writes them.
		Include [][]string
	}) (any, error) {
		set, err := setFrom(in.Set)
		if err != nil {
			return nil, err
		}
		exclude, err := setFrom(in.Exclude)
		if err != nil {
			return nil, err
		}
		matchers := []*fieldpath.SetMatcher{}
		for _, pattern := range in.Include {
			parts := []any{}
			for _, text := range pattern {
				if text == "*" {
					parts = append(parts, fieldpath.MatchAnyPathElement())
					continue
				}
				element, err := fieldpath.DeserializePathElement(text)
				if err != nil {
					return nil, wrongQuestion{err}
				}
				parts = append(parts, element)
			}
			matchers = append(matchers, fieldpath.MakePrefixMatcherOrDie(parts...))
		}
		return map[string]any{
			"include": describeSet(fieldpath.NewIncludeMatcherFilter(matchers...).Filter(set)),
			"exclude": describeSet(fieldpath.NewExcludeSetFilter(exclude).Filter(set)),
		}, nil
	})

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

	register("managedfields.sequence", func(in struct {
		APIVersion  string
		Kind        string
		Subresource string
		Versions    []string
		Reset       json.RawMessage
		Empty       json.RawMessage
		Deduced     bool
		Live        json.RawMessage
		Steps       []fieldStep
	}) (any, error) {
		gvk := schema.FromAPIVersionAndKind(in.APIVersion, in.Kind)
		filters := map[fieldpath.APIVersion]fieldpath.Filter{}
		if len(in.Reset) > 0 {
			set, err := setFrom(in.Reset)
			if err != nil {
				return nil, err
			}
			filters[fieldpath.APIVersion(in.APIVersion)] = fieldpath.NewExcludeSetFilter(set)
		}
		empty, _ := decoded(in.Empty).(map[string]any)
		if empty == nil {
			empty = map[string]any{}
		}
		converter := typeConverter
		if in.Deduced {
			converter = managedfields.NewDeducedTypeConverter()
		}
		manager, err := managedfields.NewDefaultFieldManager(converter, convertor{in.Versions}, nothing{}, nothing{empty},
			gvk, gvk.GroupVersion(), in.Subresource, filters)
		if err != nil {
			return nil, err
		}
		first, _ := nothing{empty}.New(gvk)
		if live, ok := decoded(in.Live).(map[string]any); ok {
			first = &unstructured.Unstructured{Object: live}
		}
		var live runtime.Object = first
		results := []fieldResult{}
		for i, step := range in.Steps {
			object := &unstructured.Unstructured{Object: step.Object}
			var out runtime.Object
			var err error
			switch step.Verb {
			case "apply":
				out, err = manager.Apply(live.DeepCopyObject(), object, step.Manager, step.Force)
			case "update":
				out, err = manager.Update(live.DeepCopyObject(), object, step.Manager)
			}
			if err != nil {
				result := fieldResult{Error: err.Error()}
				if status, ok := err.(errors.APIStatus); ok {
					result.Code = status.Status().Code
					if details := status.Status().Details; details != nil {
						for _, cause := range details.Causes {
							result.Causes = append(result.Causes, string(cause.Type)+" "+cause.Message+" "+cause.Field)
						}
					}
					sort.Strings(result.Causes)
				}
				results = append(results, result)
				continue
			}
			live = out
			content := out.(*unstructured.Unstructured).Object
			dated(content, i)
			results = append(results, fieldResult{Object: runtime.DeepCopyJSON(content)})
		}
		return results, nil
	})

	register("managedfields.extract", func(in struct {
		Object      json.RawMessage
		Manager     string
		Subresource string
	}) (any, error) {
		content, _ := decoded(in.Object).(map[string]any)
		object := &unstructured.Unstructured{Object: content}
		t, err := typeOf(object.GetAPIVersion(), object.GetKind(), "")
		if err != nil {
			return nil, err
		}
		result := &unstructured.Unstructured{}
		if err := managedfields.ExtractInto(object, t, in.Manager, result, in.Subresource); err != nil {
			return nil, err
		}
		if result.Object == nil {
			result.Object = map[string]any{}
		}
		result.SetName(object.GetName())
		result.SetNamespace(object.GetNamespace())
		result.SetKind(object.GetKind())
		result.SetAPIVersion(object.GetAPIVersion())
		return result.Object, nil
	})

	register("managedfields.scale", func(in struct {
		Parent, Scale []metav1.ManagedFieldsEntry
		APIVersion    string
		// By version, the path to the replicas; null for none.
		Paths map[string][]string
	}) (any, error) {
		mappings := managedfields.ResourcePathMappings{}
		for version, parts := range in.Paths {
			mappings[version] = nil
			for _, part := range parts {
				mappings[version] = append(mappings[version], fieldpath.FieldNameElement(part))
			}
		}
		gv, err := schema.ParseGroupVersion(in.APIVersion)
		if err != nil {
			return nil, wrongQuestion{err}
		}
		sub, err := managedfields.NewScaleHandler(in.Parent, gv, mappings).ToSubresource()
		if err != nil {
			return nil, err
		}
		parent, err := managedfields.NewScaleHandler(in.Parent, gv, mappings).ToParent(in.Scale)
		if err != nil {
			return nil, err
		}
		return map[string]any{"subresource": sub, "parent": parent}, nil
	})

	register("managedfields.csaupgrade", func(in struct {
		Object      json.RawMessage
		CSA         []string
		SSA         string
		Subresource string
	}) (any, error) {
		// Typed, so that fields keep the order that they are written in, as they do in typed clients.
		object := &metav1.PartialObjectMetadata{}
		if err := json.Unmarshal(in.Object, object); err != nil {
			return nil, wrongQuestion{err}
		}
		patch, err := csaupgrade.UpgradeManagedFieldsPatch(object.DeepCopy(), sets.New(in.CSA...), in.SSA, csaupgrade.Subresource(in.Subresource))
		if err != nil {
			return nil, err
		}
		upgraded := object.DeepCopy()
		if err := csaupgrade.UpgradeManagedFields(upgraded, sets.New(in.CSA...), in.SSA, csaupgrade.Subresource(in.Subresource)); err != nil {
			return nil, err
		}
		owners := []string{}
		set := fieldpath.NewSet(fieldpath.MakePathOrDie("metadata", "labels", "a"))
		for _, owner := range csaupgrade.FindFieldsOwners(object.ManagedFields, metav1.ManagedFieldsOperationUpdate, set) {
			owners = append(owners, owner.Manager)
		}
		result := map[string]any{
			"patch":  nil,
			"object": upgraded,
			"owners": owners,
		}
		if patch != nil {
			var operations any
			if err := json.NewDecoder(strings.NewReader(string(patch))).Decode(&operations); err != nil {
				return nil, err
			}
			result["patch"] = operations
		}
		return result, nil
	})
}
