package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/util/validation"
)

var nameChecks = map[string]func(string) []string{
	"dns1123Label":     validation.IsDNS1123Label,
	"dns1123Subdomain": validation.IsDNS1123Subdomain,
	"dns1035Label":     validation.IsDNS1035Label,
	"qualifiedName":    validation.IsQualifiedName,
	"labelValue":       validation.IsValidLabelValue,
	"pathSegment":      path.IsValidPathSegmentName,
}

func init() {
	register("names.check", func(in struct {
		Check string `json:"check"`
		Value string `json:"value"`
	}) (any, error) {
		check, found := nameChecks[in.Check]
		if !found {
			return nil, wrongQuestion{fmt.Errorf("there is no check %q", in.Check)}
		}
		return append([]string{}, check(in.Value)...), nil
	})
}
