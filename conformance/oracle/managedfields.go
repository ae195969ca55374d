package main

import (
	"encoding/json"
	"sort"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// convertor changes the version's name alone, among those it knows.
type convertor struct{ versions []string }

func (c convertor) Convert(in, out, context any) error { return nil }
func (c convertor) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
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
}
