package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/watchlist"
)

func init() {
	register("watchlist.prepare", func(options metav1.ListOptions) (any, error) {
		prepared, ok, err := watchlist.PrepareWatchListOptionsFromListOptions(options)
		if err != nil {
			return nil, err
		}
		return map[string]any{"ok": ok, "options": prepared}, nil
	})
}
