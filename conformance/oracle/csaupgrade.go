package main

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

func init() {
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
