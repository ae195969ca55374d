// Work queues and indices of client-go, and controller-runtime's priority queue: the same work as bench/lib/queues.mjs does.
package main

import (
	"fmt"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	testingclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// Items are added in batches, as changes arrive, and taken by one worker.
const batch = 1000

// What has passed until a point of a program: on the wall, and of CPU time by all threads.
type instant struct {
	wall time.Time
	cpu  time.Duration
}

func now() instant {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return instant{time.Now(), time.Duration(usage.Utime.Nano() + usage.Stime.Nano())}
}

// Nanoseconds an item.
type cost struct {
	Wall float64 `json:"wall"`
	CPU  float64 `json:"cpu"`
}

type timer func(part string, started instant)

// perItem gives what each part of a round takes, by item: of several rounds, after half as many that are not measured, where
// there are few items.
func perItem(items int, round func(timer)) map[string]cost {
	rounds := max(1, 200_000/items)
	for range rounds / 2 {
		round(func(string, instant) {})
	}
	costs := map[string]cost{}
	count := float64(items * rounds)
	for range rounds {
		round(func(part string, started instant) {
			ended := now()
			costs[part] = cost{
				costs[part].Wall + float64(ended.wall.Sub(started.wall).Nanoseconds())/count,
				costs[part].CPU + float64((ended.cpu-started.cpu).Nanoseconds())/count,
			}
		})
	}
	return costs
}

func runQueue(items int) map[string]cost {
	keys := make([]string, items)
	for i := range keys {
		keys[i] = fmt.Sprintf("namespace-%02d/web-%07d", i%namespaces, i)
	}
	results := map[string]cost{}
	for _, round := range []func([]string, timer){inBatches, backlog, delaying, prioritized} {
		for part, cost := range perItem(items, func(measure timer) { round(keys, measure) }) {
			results[part] = cost
		}
	}
	return results
}

func inBatches(keys []string, measure timer) {
	queue := workqueue.NewTyped[string]()
	defer queue.ShutDown()
	started := now()
	for first := 0; first < len(keys); first += batch {
		end := min(first+batch, len(keys))
		for _, key := range keys[first:end] {
			queue.Add(key)
		}
		for range end - first {
			key, _ := queue.Get()
			queue.Done(key)
		}
	}
	measure("batches", started)
	if queue.Len() != 0 {
		fail("%d items are left in the queue", queue.Len())
	}
}

func backlog(keys []string, measure timer) {
	queue := workqueue.NewTyped[string]()
	defer queue.ShutDown()
	started := now()
	for _, key := range keys {
		queue.Add(key)
	}
	for range keys {
		key, _ := queue.Get()
		queue.Done(key)
	}
	measure("backlog", started)
	if queue.Len() != 0 {
		fail("%d items are left in the queue", queue.Len())
	}
}

func delaying(keys []string, measure timer) {
	clock := testingclock.NewFakeClock(time.Now())
	queue := workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{Clock: clock})
	defer queue.ShutDown()
	started := now()
	for i, key := range keys {
		queue.AddAfter(key, time.Hour+time.Duration(i*7919%len(keys))*time.Millisecond)
	}
	measure("addAfter", started)
	// The last thousand are in a channel still; they are out of it when what came after them is.
	queue.AddAfter("last", time.Millisecond)
	clock.Step(time.Millisecond)
	if key, _ := queue.Get(); key != "last" || queue.Len() != 0 {
		fail("%s did not wait", key)
	}
	queue.Done("last")
	due := now()
	clock.Step(time.Hour + time.Duration(len(keys))*time.Millisecond)
	for queue.Len() < len(keys) {
		time.Sleep(10 * time.Microsecond)
	}
	measure("due", due)
	if key, _ := queue.Get(); key != keys[0] {
		fail("%s came first", key)
	}
}

func prioritized(keys []string, measure timer) {
	queue := priorityqueue.New[string]("bench")
	defer queue.ShutDown()
	started := now()
	for i, key := range keys {
		priority := i % 3
		queue.AddWithOpts(priorityqueue.AddOpts{Priority: &priority}, key)
	}
	if queue.Len() != len(keys) {
		fail("the priority queue has %d items", queue.Len())
	}
	last := -1
	for range keys {
		key, priority, _ := queue.GetWithPriority()
		queue.Done(key)
		last = priority
	}
	measure("priority", started)
	if last != 0 || queue.Len() != 0 {
		fail("the last one has priority %d, and %d are left", last, queue.Len())
	}
}

// perValue objects to a value of each index; the namespace's index does not change.
func runIndex(items, perValue, indices int) map[string]cost {
	return perItem(items, func(measure timer) {
		indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
		for i := range indices {
			indexers[fmt.Sprintf("app-%d", i)] = func(obj any) ([]string, error) {
				return []string{obj.(*corev1.Pod).Labels["app"]}, nil
			}
		}
		indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)
		value := func(i int) string { return fmt.Sprintf("value-%d", i/perValue) }
		shift := perValue / 2
		pod := func(i, shift int) *corev1.Pod {
			return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
				Namespace: fmt.Sprintf("namespace-%02d", i%namespaces),
				Name:      fmt.Sprintf("web-%07d", i),
				Labels:    map[string]string{"app": value(i + shift)},
			}}
		}
		first, second := make([]*corev1.Pod, items), make([]*corev1.Pod, items)
		for i := range items {
			first[i], second[i] = pod(i, 0), pod(i, shift)
		}
		asked := make([]string, items/perValue+1)
		for i := range asked {
			asked[i] = value(i * perValue)
		}

		started := now()
		for _, obj := range first {
			must(indexer.Add(obj))
		}
		measure("add", started)
		started = now()
		for _, obj := range second {
			must(indexer.Update(obj))
		}
		measure("update", started)
		started = now()
		found := 0
		for _, value := range asked {
			objs, err := indexer.ByIndex("app-0", value)
			must(err)
			found += len(objs)
		}
		measure("lookup", started)
		started = now()
		for _, obj := range second {
			must(indexer.Delete(obj))
		}
		measure("delete", started)
		if len(indexer.ListKeys()) != 0 || len(indexer.ListIndexFuncValues("app-0")) != 0 {
			fail("the index keeps objects")
		}
		if found != items {
			fail("the index found %d objects", found)
		}
	})
}
