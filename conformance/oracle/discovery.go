package main

import (
	"errors"
	"fmt"
	"sort"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// A server as discovery sees it. Group-versions in Failures cannot be asked for their resources.
type discovered struct {
	Groups    []metav1.APIGroup        `json:"groups"`
	Resources []metav1.APIResourceList `json:"resources"`
	Failures  map[string]string        `json:"failures"`
}

type discoveredClient struct {
	discovery.DiscoveryInterface
	server discovered
}

func (c discoveredClient) ServerGroups() (*metav1.APIGroupList, error) {
	return &metav1.APIGroupList{Groups: c.server.Groups}, nil
}

func (c discoveredClient) ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error) {
	if text, fails := c.server.Failures[groupVersion]; fails {
		return nil, errors.New(text)
	}
	for i := range c.server.Resources {
		if c.server.Resources[i].GroupVersion == groupVersion {
			return &c.server.Resources[i], nil
		}
	}
	return nil, fmt.Errorf("%s is not there", groupVersion)
}

func (c discoveredClient) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return discovery.ServerGroupsAndResources(c)
}

// The lists with their resources in the order of the names, which Go leaves to chance.
func sortedLists(lists []*metav1.APIResourceList, err error) map[string]any {
	for _, list := range lists {
		sort.SliceStable(list.APIResources, func(i, j int) bool { return list.APIResources[i].Name < list.APIResources[j].Name })
	}
	out := map[string]any{"lists": lists}
	if err != nil {
		out["failed"] = err.Error()
	}
	return out
}

func init() {
	register("discovery.split", func(in apidiscoveryv2.APIGroupDiscoveryList) (any, error) {
		groups, resources, failed := discovery.SplitGroupsAndResources(in)
		byVersion := map[string]*metav1.APIResourceList{}
		for gv, list := range resources {
			byVersion[gv.String()] = list
		}
		texts := map[string]string{}
		for gv, err := range failed {
			texts[gv.String()] = err.Error()
		}
		return map[string]any{"groups": groups.Groups, "resources": byVersion, "failed": texts}, nil
	})
	register("discovery.resources", func(in discovered) (any, error) {
		client := discoveredClient{server: in}
		groups, all, err := client.ServerGroupsAndResources()
		names := []string{}
		for _, group := range groups {
			names = append(names, group.Name)
		}
		preferred, preferredErr := discovery.ServerPreferredResources(client)
		namespaced, namespacedErr := discovery.ServerPreferredNamespacedResources(client)
		return map[string]any{
			"groups":     names,
			"all":        sortedLists(all, err),
			"preferred":  sortedLists(preferred, preferredErr),
			"namespaced": sortedLists(namespaced, namespacedErr),
		}, nil
	})
	register("discovery.helpers", func(in struct {
		Server discovered `json:"server"`
		Verbs  []string   `json:"verbs"`
		GVR    struct {
			Group    string `json:"group"`
			Version  string `json:"version"`
			Resource string `json:"resource"`
		} `json:"gvr"`
	}) (any, error) {
		client := discoveredClient{server: in.Server}
		var lists []*metav1.APIResourceList
		for i := range in.Server.Resources {
			lists = append(lists, &in.Server.Resources[i])
		}
		gvr := schema.GroupVersionResource{Group: in.GVR.Group, Version: in.GVR.Version, Resource: in.GVR.Resource}
		out := map[string]any{"filtered": discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: in.Verbs}, lists)}
		if err := discovery.ServerSupportsVersion(client, gvr.GroupVersion()); err != nil {
			out["unsupported"] = err.Error()
		}
		if enabled, err := discovery.IsResourceEnabled(client, gvr); err != nil {
			out["enabled"] = err.Error()
		} else {
			out["enabled"] = enabled
		}
		if gvrs, err := discovery.GroupVersionResources(lists); err != nil {
			out["gvrs"] = err.Error()
		} else {
			texts := []string{}
			for gvr := range gvrs {
				texts = append(texts, gvr.String())
			}
			sort.Strings(texts)
			out["gvrs"] = texts
		}
		return out, nil
	})
	register("discovery.contentType", func(in struct {
		Text string `json:"text"`
	}) (any, error) {
		is, _ := discovery.ContentTypeIsGVK(in.Text, schema.GroupVersionKind{Group: "apidiscovery.k8s.io", Version: "v2", Kind: "APIGroupDiscoveryList"})
		return is, nil
	})
}
