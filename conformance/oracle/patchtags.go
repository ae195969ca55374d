package main

import (
	"reflect"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

type patchTag struct {
	Strategy string `json:"strategy,omitempty"`
	MergeKey string `json:"mergeKey,omitempty"`
}

// collectPatchTags finds what Go's structs say to strategic merge patches, by type and JSON field.
func collectPatchTags(t reflect.Type, found map[string]map[string]patchTag) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		collectPatchTags(t.Elem(), found)
		return
	case reflect.Struct:
	default:
		return
	}
	name := "io." + strings.NewReplacer("k8s.io/", "k8s.", "/", ".").Replace(t.PkgPath()) + "." + t.Name()
	if _, seen := found[name]; seen || !strings.HasPrefix(t.PkgPath(), "k8s.io/api") {
		return
	}
	fields := map[string]patchTag{}
	found[name] = fields
	for i := range t.NumField() {
		field := t.Field(i)
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if key != "" && key != "-" {
			fields[key] = patchTag{field.Tag.Get("patchStrategy"), field.Tag.Get("patchMergeKey")}
		}
		if key != "-" {
			collectPatchTags(field.Type, found)
		}
	}
}

func init() {
	register("patch.tags", func(struct{}) (any, error) {
		found := map[string]map[string]patchTag{}
		for _, t := range scheme.Scheme.AllKnownTypes() {
			collectPatchTags(t, found)
		}
		collectPatchTags(reflect.TypeFor[apiextensionsv1.CustomResourceDefinition](), found)
		return found, nil
	})
}
