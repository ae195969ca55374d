package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/restmapper"
)

type mapperQuestion struct {
	Op       string   `json:"op"`
	Group    string   `json:"group"`
	Version  string   `json:"version"`
	Name     string   `json:"name"`
	Versions []string `json:"versions"`
	// Whether short names are taken.
	Short bool `json:"short"`
}

type mapperAnswer struct {
	Result    any      `json:"result,omitempty"`
	Error     string   `json:"error,omitempty"`
	NoMatch   bool     `json:"noMatch,omitempty"`
	Ambiguous bool     `json:"ambiguous,omitempty"`
	Warnings  []string `json:"warnings,omitempty"`
}

func mappingTexts(mappings ...*meta.RESTMapping) []string {
	texts := []string{}
	for _, m := range mappings {
		texts = append(texts, fmt.Sprintf("%v; %v; %v", m.Resource, m.GroupVersionKind, m.Scope.Name()))
	}
	return texts
}

func textsOf[T fmt.Stringer](items ...T) []string {
	texts := []string{}
	for _, item := range items {
		texts = append(texts, item.String())
	}
	return texts
}

func askMapper(mapper meta.RESTMapper, q mapperQuestion) (any, error) {
	gvr := schema.GroupVersionResource{Group: q.Group, Version: q.Version, Resource: q.Name}
	gk := schema.GroupKind{Group: q.Group, Kind: q.Name}
	switch q.Op {
	case "kindFor":
		found, err := mapper.KindFor(gvr)
		return found.String(), err
	case "kindsFor":
		found, err := mapper.KindsFor(gvr)
		return textsOf(found...), err
	case "resourceFor":
		found, err := mapper.ResourceFor(gvr)
		return found.String(), err
	case "resourcesFor":
		found, err := mapper.ResourcesFor(gvr)
		return textsOf(found...), err
	case "restMapping":
		found, err := mapper.RESTMapping(gk, q.Versions...)
		if err != nil {
			return nil, err
		}
		return mappingTexts(found), nil
	case "restMappings":
		found, err := mapper.RESTMappings(gk, q.Versions...)
		return mappingTexts(found...), err
	case "resourceSingularizer":
		return mapper.ResourceSingularizer(q.Name)
	}
	return nil, fmt.Errorf("there is no question %q", q.Op)
}

func init() {
	register("restmapper.ask", func(in struct {
		Server    discovered       `json:"server"`
		Questions []mapperQuestion `json:"questions"`
	}) (any, error) {
		client := discoveredClient{server: in.Server}
		groupResources, err := restmapper.GetAPIGroupResources(client)
		if err != nil {
			return nil, err
		}
		answers := []mapperAnswer{}
		for _, q := range in.Questions {
			var answer mapperAnswer
			mapper := restmapper.NewDiscoveryRESTMapper(groupResources)
			if q.Short {
				mapper = restmapper.NewShortcutExpander(mapper, client, func(text string) {
					answer.Warnings = append(answer.Warnings, text)
				})
			}
			result, err := askMapper(mapper, q)
			if err != nil {
				answer.Error, answer.NoMatch, answer.Ambiguous = err.Error(), meta.IsNoMatchError(err), meta.IsAmbiguousError(err)
			} else {
				answer.Result = result
			}
			answers = append(answers, answer)
		}
		return answers, nil
	})
	register("restmapper.category", func(in struct {
		Server   discovered `json:"server"`
		Category string     `json:"category"`
	}) (any, error) {
		members, known := restmapper.NewDiscoveryCategoryExpander(discoveredClient{server: in.Server}).Expand(in.Category)
		return map[string]any{"known": known, "members": textsOf(members...)}, nil
	})
	register("restmapper.guess", func(in struct {
		Kind string `json:"kind"`
	}) (any, error) {
		plural, singular := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Group: "g", Version: "v", Kind: in.Kind})
		return []string{plural.String(), singular.String()}, nil
	})
}
