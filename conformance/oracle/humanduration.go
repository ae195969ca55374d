package main

import (
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

func init() {
	register("duration.human", func(in struct {
		Milliseconds int64 `json:"milliseconds"`
	}) (any, error) {
		d := time.Duration(in.Milliseconds) * time.Millisecond
		return []string{duration.HumanDuration(d), duration.ShortHumanDuration(d)}, nil
	})
}
