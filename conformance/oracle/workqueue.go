package main

import (
	"time"

	"k8s.io/client-go/util/workqueue"
)

type limiterQuestion struct {
	Kind string `json:"kind"`
	// Milliseconds.
	Base  int64             `json:"base"`
	Max   int64             `json:"max"`
	Fast  int               `json:"fast"`
	Inner []limiterQuestion `json:"inner"`
	Steps []limiterStep     `json:"steps"`
}

type limiterStep struct {
	Op   string `json:"op"`
	Item string `json:"item"`
}

func (q limiterQuestion) limiter() workqueue.TypedRateLimiter[string] {
	base, max := time.Duration(q.Base)*time.Millisecond, time.Duration(q.Max)*time.Millisecond
	inner := []workqueue.TypedRateLimiter[string]{}
	for _, one := range q.Inner {
		inner = append(inner, one.limiter())
	}
	switch q.Kind {
	case "exponential":
		return workqueue.NewTypedItemExponentialFailureRateLimiter[string](base, max)
	case "fastSlow":
		return workqueue.NewTypedItemFastSlowRateLimiter[string](base, max, q.Fast)
	case "maxOf":
		return workqueue.NewTypedMaxOfRateLimiter(inner...)
	case "withMaxWait":
		return workqueue.NewTypedWithMaxWaitRateLimiter(inner[0], max)
	}
	panic("there is no limiter " + q.Kind)
}

func init() {
	register("workqueue.limiter", func(in limiterQuestion) (any, error) {
		limiter := in.limiter()
		seen := []any{}
		for _, step := range in.Steps {
			switch step.Op {
			case "when":
				seen = append(seen, limiter.When(step.Item).Milliseconds())
			case "forget":
				limiter.Forget(step.Item)
				seen = append(seen, nil)
			case "numRequeues":
				seen = append(seen, limiter.NumRequeues(step.Item))
			}
		}
		return seen, nil
	})
	register("workqueue.queue", func(steps []limiterStep) (any, error) {
		queue := workqueue.NewTyped[string]()
		defer queue.ShutDown()
		seen := []any{}
		for _, step := range steps {
			taken := ""
			switch step.Op {
			case "add":
				queue.Add(step.Item)
			case "get":
				// It would wait for an item otherwise.
				if queue.Len() > 0 || queue.ShuttingDown() {
					item, shutdown := queue.Get()
					if taken = item; shutdown {
						taken = "shut down"
					}
				}
			case "done":
				queue.Done(step.Item)
			case "shutDown":
				queue.ShutDown()
			}
			seen = append(seen, map[string]any{"taken": taken, "length": queue.Len(), "shuttingDown": queue.ShuttingDown()})
		}
		return seen, nil
	})
}
