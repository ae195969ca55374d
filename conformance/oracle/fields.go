package main

import "k8s.io/apimachinery/pkg/fields"

type fieldRequirement struct {
	Field    string `json:"field"`
	Operator string `json:"operator"`
	Value    string `json:"value"`
}

type fieldSelector struct {
	String       string             `json:"string"`
	Empty        bool               `json:"empty"`
	Requirements []fieldRequirement `json:"requirements"`
	Matches      []bool             `json:"matches"`
}

func init() {
	register("fields.parse", func(in struct {
		Selector string       `json:"selector"`
		Fields   []fields.Set `json:"fields"`
	}) (any, error) {
		selector, err := fields.ParseSelector(in.Selector)
		if err != nil {
			return nil, err
		}
		out := fieldSelector{
			String:       selector.String(),
			Empty:        selector.Empty(),
			Requirements: []fieldRequirement{},
			Matches:      []bool{},
		}
		for _, r := range selector.Requirements() {
			out.Requirements = append(out.Requirements, fieldRequirement{r.Field, string(r.Operator), r.Value})
		}
		for _, set := range in.Fields {
			out.Matches = append(out.Matches, selector.Matches(set))
		}
		return out, nil
	})
	register("fields.escape", func(in struct {
		Value string `json:"value"`
	}) (any, error) {
		return fields.EscapeValue(in.Value), nil
	})
	register("fields.unescape", func(in struct {
		Value string `json:"value"`
	}) (any, error) {
		return fields.UnescapeValue(in.Value)
	})
}
