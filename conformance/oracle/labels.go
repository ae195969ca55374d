package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

type labelRequirement struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

type labelSelector struct {
	String       string             `json:"string"`
	Empty        bool               `json:"empty"`
	Requirements []labelRequirement `json:"requirements"`
	Matches      []bool             `json:"matches"`
}

func describeLabelSelector(selector labels.Selector, sets []labels.Set) labelSelector {
	out := labelSelector{
		String:       selector.String(),
		Empty:        selector.Empty(),
		Requirements: []labelRequirement{},
		Matches:      []bool{},
	}
	requirements, _ := selector.Requirements()
	for _, r := range requirements {
		out.Requirements = append(out.Requirements, labelRequirement{r.Key(), string(r.Operator()), r.ValuesUnsorted()})
	}
	for _, set := range sets {
		out.Matches = append(out.Matches, selector.Matches(set))
	}
	return out
}

func init() {
	register("labels.parse", func(in struct {
		Selector string       `json:"selector"`
		Labels   []labels.Set `json:"labels"`
	}) (any, error) {
		selector, err := labels.Parse(in.Selector)
		if err != nil {
			return nil, err
		}
		return describeLabelSelector(selector, in.Labels), nil
	})
	register("labels.requirement", func(in struct {
		labelRequirement
		Labels []labels.Set `json:"labels"`
	}) (any, error) {
		r, err := labels.NewRequirement(in.Key, selection.Operator(in.Operator), in.Values)
		if err != nil {
			return nil, err
		}
		return describeLabelSelector(labels.NewSelector().Add(*r), in.Labels), nil
	})
	register("labels.fromSet", func(in struct {
		Set    labels.Set   `json:"set"`
		Labels []labels.Set `json:"labels"`
	}) (any, error) {
		selector, err := labels.ValidatedSelectorFromSet(in.Set)
		if err != nil {
			return nil, err
		}
		return describeLabelSelector(selector, in.Labels), nil
	})
	register("labels.fromLabelSelector", func(in struct {
		Selector *metav1.LabelSelector `json:"selector"`
		Labels   []labels.Set          `json:"labels"`
	}) (any, error) {
		selector, err := metav1.LabelSelectorAsSelector(in.Selector)
		if err != nil {
			return nil, err
		}
		return describeLabelSelector(selector, in.Labels), nil
	})
	register("labels.toLabelSelector", func(in struct {
		Selector string `json:"selector"`
	}) (any, error) {
		return metav1.ParseToLabelSelector(in.Selector)
	})
}
