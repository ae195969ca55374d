package main

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
)

func nanosecondsEach(count int, work func()) float64 {
	started := time.Now()
	work()
	return float64(time.Since(started).Nanoseconds()) / float64(count)
}

// How long small functions take, for the benchmarks; what they came to, so that both sides are seen to do the same.
func init() {
	register("quantity.time", func(in struct {
		Texts      []string `json:"texts"`
		Iterations int      `json:"iterations"`
	}) (any, error) {
		count := in.Iterations * len(in.Texts)
		printed := make([]string, len(in.Texts))
		var failure error
		parseAndPrint := nanosecondsEach(count, func() {
			for range in.Iterations {
				for i, text := range in.Texts {
					q, err := resource.ParseQuantity(text)
					if err != nil {
						failure = err
					}
					printed[i] = q.String()
				}
			}
		})
		quantities := make([]resource.Quantity, len(in.Texts))
		for i, text := range in.Texts {
			quantities[i] = resource.MustParse(text)
		}
		var sum resource.Quantity
		add := nanosecondsEach(count, func() {
			for range in.Iterations {
				sum = resource.Quantity{}
				for _, q := range quantities {
					sum.Add(q)
				}
			}
		})
		return map[string]any{"parseAndPrint": parseAndPrint, "add": add, "printed": printed, "sum": sum.String()}, failure
	})
	register("labels.time", func(in struct {
		Selector   string       `json:"selector"`
		Labels     []labels.Set `json:"labels"`
		Iterations int          `json:"iterations"`
	}) (any, error) {
		var selector labels.Selector
		var failure error
		parse := nanosecondsEach(in.Iterations, func() {
			for range in.Iterations {
				selector, failure = labels.Parse(in.Selector)
			}
		})
		if failure != nil {
			return nil, failure
		}
		matches := 0
		match := nanosecondsEach(in.Iterations*len(in.Labels), func() {
			for range in.Iterations {
				matches = 0
				for _, set := range in.Labels {
					if selector.Matches(set) {
						matches++
					}
				}
			}
		})
		return map[string]any{"parse": parse, "match": match, "matches": matches}, nil
	})
}
