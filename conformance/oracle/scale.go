package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/scale"
)

func init() {
	converter := scale.NewScaleConverter()
	register("scale.convert", func(in struct {
		Scale   json.RawMessage `json:"scale"`
		Group   string          `json:"group"`
		Version string          `json:"version"`
	}) (any, error) {
		codecs := converter.Codecs()
		object, err := runtime.Decode(codecs.UniversalDecoder(converter.ScaleVersions()...), in.Scale)
		if err != nil {
			return nil, err
		}
		gv := schema.GroupVersion{Group: in.Group, Version: in.Version}
		converted, err := converter.ConvertToVersion(object, gv)
		if err != nil {
			return nil, err
		}
		return raw(runtime.Encode(codecs.LegacyCodec(gv), converted))
	})
}
