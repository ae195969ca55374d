package main

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/resourceversion"
)

type groupVersionName struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Name    string `json:"name"`
}

type groupName struct {
	Group string `json:"group"`
	Name  string `json:"name"`
}

func init() {
	type text struct {
		Text string `json:"text"`
	}
	register("schema.groupVersion", func(in text) (any, error) {
		gv, err := schema.ParseGroupVersion(in.Text)
		if err != nil {
			return nil, err
		}
		return map[string]string{"group": gv.Group, "version": gv.Version, "string": gv.String()}, nil
	})
	register("schema.kindArg", func(in text) (any, error) {
		gvk, gk := schema.ParseKindArg(in.Text)
		out := struct {
			GVK *groupVersionName `json:"gvk"`
			GK  groupName         `json:"gk"`
		}{GK: groupName{gk.Group, gk.Kind}}
		if gvk != nil {
			out.GVK = &groupVersionName{gvk.Group, gvk.Version, gvk.Kind}
		}
		return out, nil
	})
	register("schema.resourceArg", func(in text) (any, error) {
		gvr, gr := schema.ParseResourceArg(in.Text)
		out := struct {
			GVR *groupVersionName `json:"gvr"`
			GR  groupName         `json:"gr"`
		}{GR: groupName{gr.Group, gr.Resource}}
		if gvr != nil {
			out.GVR = &groupVersionName{gvr.Group, gvr.Version, gvr.Resource}
		}
		return out, nil
	})
	register("resourceVersion.compare", func(in struct {
		A string `json:"a"`
		B string `json:"b"`
	}) (any, error) {
		return resourceversion.CompareResourceVersion(in.A, in.B)
	})
}
