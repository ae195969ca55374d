package main

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

func init() {
	register("manifests.decode", func(in struct {
		Text string `json:"text"`
	}) (any, error) {
		decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(in.Text), 4096)
		documents := []string{}
		for {
			var raw json.RawMessage
			if err := decoder.Decode(&raw); errors.Is(err, io.EOF) {
				return documents, nil
			} else if err != nil {
				return nil, err
			}
			if text := string(raw); text != "" && text != "null" {
				documents = append(documents, text)
			}
		}
	})
}
