package main

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Which parts of a list have been given no time, and so have the present.
const present = "the present"

func init() {
	register("owners.controller", func(in struct {
		Object metav1.ObjectMeta       `json:"object"`
		Owner  metav1.ObjectMeta       `json:"owner"`
		Kind   schema.GroupVersionKind `json:"kind"`
	}) (any, error) {
		object := &metav1.PartialObjectMetadata{ObjectMeta: in.Object}
		owner := &metav1.PartialObjectMetadata{ObjectMeta: in.Owner}
		return map[string]any{
			"newControllerRef": metav1.NewControllerRef(owner, in.Kind),
			"getControllerOf":  metav1.GetControllerOf(object),
			"isControlledBy":   metav1.IsControlledBy(object, owner),
		}, nil
	})
	register("conditions", func(in struct {
		Conditions []metav1.Condition `json:"conditions"`
		Set        metav1.Condition   `json:"set"`
		Remove     string             `json:"remove"`
	}) (any, error) {
		given := map[metav1.Time]bool{in.Set.LastTransitionTime: true}
		for _, condition := range in.Conditions {
			given[condition.LastTransitionTime] = true
		}
		set := append([]metav1.Condition{}, in.Conditions...)
		removed := append([]metav1.Condition{}, in.Conditions...)
		hasChanged := apimeta.SetStatusCondition(&set, in.Set)
		hasRemoved := apimeta.RemoveStatusCondition(&removed, in.Remove)
		described := []any{}
		for _, condition := range set {
			isPresent := !given[condition.LastTransitionTime]
			encoded, err := json.Marshal(condition)
			if err != nil {
				return nil, err
			}
			fields := map[string]any{}
			if err := json.Unmarshal(encoded, &fields); err != nil {
				return nil, err
			}
			if isPresent {
				fields["lastTransitionTime"] = present
			}
			described = append(described, fields)
		}
		return map[string]any{
			"changed": hasChanged,
			"set":     described,
			"removed": hasRemoved,
			"rest":    removed,
			"found":   apimeta.FindStatusCondition(in.Conditions, in.Remove),
			"isTrue":  apimeta.IsStatusConditionTrue(in.Conditions, in.Remove),
			"isFalse": apimeta.IsStatusConditionFalse(in.Conditions, in.Remove),
			"isEqual": apimeta.IsStatusConditionPresentAndEqual(in.Conditions, in.Remove, "Unknown"),
		}, nil
	})
	register("equality.pods", compare[corev1.Pod])
	register("equality.networkPolicies", compare[networkingv1.NetworkPolicy])
}

func compare[T any](in struct {
	A T `json:"a"`
	B T `json:"b"`
}) (any, error) {
	return map[string]bool{
		"equal":      equality.Semantic.DeepEqual(in.A, in.B),
		"derivative": equality.Semantic.DeepDerivative(in.A, in.B),
	}, nil
}
