package main

import (
	"time"
	_ "unsafe"

	"k8s.io/apimachinery/pkg/util/wait"
	clocktesting "k8s.io/utils/clock/testing"
)

// What back-offs take their chance from: exported to tests only.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

type backoffQuestion struct {
	// Nanoseconds.
	Duration int64   `json:"duration"`
	Cap      int64   `json:"cap"`
	Factor   float64 `json:"factor"`
	Jitter   float64 `json:"jitter"`
	Steps    int     `json:"steps"`
	Random   float64 `json:"random"`
	Calls    int     `json:"calls"`
	// Nanoseconds, and those that pass before each call.
	ResetInterval int64   `json:"resetInterval"`
	Passed        []int64 `json:"passed"`
}

func (q backoffQuestion) backoff() wait.Backoff {
	return wait.Backoff{Duration: time.Duration(q.Duration), Cap: time.Duration(q.Cap), Factor: q.Factor, Jitter: q.Jitter, Steps: q.Steps}
}

func init() {
	register("wait.step", func(q backoffQuestion) (any, error) {
		jitterRand = func() float64 { return q.Random }
		backoff := q.backoff()
		waits := []int64{}
		for i := 0; i < q.Calls; i++ {
			waits = append(waits, int64(backoff.Step()))
		}
		return map[string]any{"waits": waits, "steps": backoff.Steps}, nil
	})
	register("wait.delayWithReset", func(q backoffQuestion) (any, error) {
		jitterRand = func() float64 { return q.Random }
		clock := clocktesting.NewFakeClock(time.Unix(0, 0))
		delay := q.backoff().DelayWithReset(clock, time.Duration(q.ResetInterval))
		waits := []int64{}
		for _, passed := range q.Passed {
			clock.Step(time.Duration(passed))
			waits = append(waits, int64(delay()))
		}
		return map[string]any{"waits": waits}, nil
	})
}
