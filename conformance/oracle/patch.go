package main

import (
	"encoding/json"
	"fmt"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// The kinds that strategic merge patches are compared for.
var patchTypes = map[string]any{
	"ControllerRevision":       appsv1.ControllerRevision{},
	"CronJob":                  batchv1.CronJob{},
	"CustomResourceDefinition": apiextensionsv1.CustomResourceDefinition{},
	"Deployment":               appsv1.Deployment{},
	"Node":                     corev1.Node{},
	"Pod":                      corev1.Pod{},
	"Service":                  corev1.Service{},
	"ServiceAccount":           corev1.ServiceAccount{},
}

type patchQuestion struct {
	Type      string          `json:"type"`
	Original  json.RawMessage `json:"original"`
	Modified  json.RawMessage `json:"modified"`
	Current   json.RawMessage `json:"current"`
	Patch     json.RawMessage `json:"patch"`
	Overwrite bool            `json:"overwrite"`
	// Keys that must not change: at the top, or in metadata.
	Unchanged         []string `json:"unchanged"`
	MetadataUnchanged []string `json:"metadataUnchanged"`
	Iterations        int      `json:"iterations"`
}

func (q patchQuestion) preconditions() (fns []mergepatch.PreconditionFunc) {
	for _, key := range q.Unchanged {
		fns = append(fns, mergepatch.RequireKeyUnchanged(key))
	}
	for _, key := range q.MetadataUnchanged {
		fns = append(fns, mergepatch.RequireMetadataKeyUnchanged(key))
	}
	return fns
}

func (q patchQuestion) schema() (strategicpatch.LookupPatchMeta, error) {
	dataStruct, found := patchTypes[q.Type]
	if !found {
		return nil, wrongQuestion{fmt.Errorf("no type %q", q.Type)}
	}
	return strategicpatch.NewPatchMetaFromStruct(dataStruct)
}

func (q patchQuestion) patches() (left, right strategicpatch.JSONMap, err error) {
	if err = utiljson.Unmarshal(q.Original, (*map[string]any)(&left)); err == nil {
		err = utiljson.Unmarshal(q.Patch, (*map[string]any)(&right))
	}
	if err != nil {
		err = wrongQuestion{err}
	}
	return left, right, err
}

func init() {
	register("patch.json", func(q patchQuestion) (any, error) {
		patch, err := jsonpatch.DecodePatch(q.Patch)
		if err != nil {
			return nil, err
		}
		return raw(patch.Apply(q.Original))
	})
	register("patch.merge", func(q patchQuestion) (any, error) {
		return raw(jsonpatch.MergePatch(q.Original, q.Patch))
	})
	register("patch.merge.create", func(q patchQuestion) (any, error) {
		return raw(jsonpatch.CreateMergePatch(q.Original, q.Modified))
	})
	register("patch.merge.threeWay", func(q patchQuestion) (any, error) {
		return raw(jsonmergepatch.CreateThreeWayJSONMergePatch(q.Original, q.Modified, q.Current, q.preconditions()...))
	})
	register("patch.strategic", func(q patchQuestion) (any, error) {
		schema, err := q.schema()
		if err != nil {
			return nil, err
		}
		return raw(strategicpatch.StrategicMergePatchUsingLookupPatchMeta(q.Original, q.Patch, schema))
	})
	register("patch.strategic.create", func(q patchQuestion) (any, error) {
		schema, err := q.schema()
		if err != nil {
			return nil, err
		}
		return raw(strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(q.Original, q.Modified, schema, q.preconditions()...))
	})
	register("patch.strategic.threeWay", func(q patchQuestion) (any, error) {
		schema, err := q.schema()
		if err != nil {
			return nil, err
		}
		return raw(strategicpatch.CreateThreeWayMergePatch(q.Original, q.Modified, q.Current, schema, q.Overwrite, q.preconditions()...))
	})
	// Of two patches.
	register("patch.strategic.conflict", func(q patchQuestion) (any, error) {
		schema, err := q.schema()
		if err != nil {
			return nil, err
		}
		left, right, err := q.patches()
		if err != nil {
			return nil, err
		}
		return strategicpatch.MergingMapsHaveConflicts(left, right, schema)
	})
	register("patch.strategic.merge", func(q patchQuestion) (any, error) {
		schema, err := q.schema()
		if err != nil {
			return nil, err
		}
		left, right, err := q.patches()
		if err != nil {
			return nil, err
		}
		return strategicpatch.MergeStrategicMergeMapPatchUsingLookupPatchMeta(schema, left, right)
	})
	// How long a patch takes to make and to apply, bytes in and bytes out: nanoseconds each.
	register("patch.strategic.time", func(q patchQuestion) (any, error) {
		schema, err := q.schema()
		if err != nil {
			return nil, err
		}
		var patch, result []byte
		started := time.Now()
		for range q.Iterations {
			if patch, err = strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(q.Original, q.Modified, schema); err != nil {
				return nil, err
			}
		}
		create := time.Since(started)
		started = time.Now()
		for range q.Iterations {
			if result, err = strategicpatch.StrategicMergePatchUsingLookupPatchMeta(q.Original, patch, schema); err != nil {
				return nil, err
			}
		}
		apply := time.Since(started)
		return map[string]any{
			"create": float64(create.Nanoseconds()) / float64(q.Iterations),
			"apply":  float64(apply.Nanoseconds()) / float64(q.Iterations),
			"patch":  json.RawMessage(patch),
			"result": json.RawMessage(result),
		}, nil
	})
}
