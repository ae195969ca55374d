package main

import (
	"bytes"
	"encoding/json"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

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
}
