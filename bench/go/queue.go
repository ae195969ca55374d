// Work queues and indices of client-go.
package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

type queueResult struct {
	// Add, get and done of one item, from an empty queue to an empty queue.
	OpsPerSecond float64 `json:"opsPerSecond"`
	// addAfter of one more item, when there are as many as asked for.
	AddAfterNs float64 `json:"addAfterNs"`
}

// Items are added in batches, as changes arrive, and taken by one worker.
const batch = 1000

func runQueue(items int) queueResult {
	keys := make([]string, items)
	for i := range keys {
		keys[i] = fmt.Sprintf("namespace-%02d/web-%07d", i%namespaces, i)
	}
	queue := workqueue.NewTyped[string]()
	started := time.Now()
	for first := 0; first < items; first += batch {
		end := min(first+batch, items)
		for _, key := range keys[first:end] {
			queue.Add(key)
		}
		for range end - first {
			key, _ := queue.Get()
			queue.Done(key)
		}
	}
	elapsed := time.Since(started)
	if queue.Len() != 0 {
		fail("%d items are left in the queue", queue.Len())
	}

	delaying := workqueue.NewTypedDelayingQueue[string]()
	delayed := time.Now()
	for i, key := range keys {
		delaying.AddAfter(key, time.Hour+time.Duration(i*7919%items)*time.Millisecond)
	}
	return queueResult{float64(items) / elapsed.Seconds(), float64(time.Since(delayed).Nanoseconds()) / float64(items)}
}

type indexResult struct {
	AddNs, UpdateNs, LookupNs float64
}

// Objects in ten to a value of one index; the other is by namespace.
func runIndex(items int) indexResult {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		"app":                func(obj any) ([]string, error) { return []string{obj.(*corev1.Pod).Labels["app"]}, nil },
	})
	pod := func(i, app int) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: fmt.Sprintf("namespace-%02d", i%namespaces), Name: fmt.Sprintf("web-%07d", i), Labels: map[string]string{"app": fmt.Sprintf("app-%d", app)},
		}}
	}
	var first, second []*corev1.Pod
	for i := range items {
		first, second = append(first, pod(i, i/10)), append(second, pod(i, (i+5)/10))
	}
	per := func(since time.Time) float64 { return float64(time.Since(since).Nanoseconds()) / float64(items) }
	var result indexResult
	started := time.Now()
	for _, obj := range first {
		must(indexer.Add(obj))
	}
	result.AddNs = per(started)
	started = time.Now()
	for _, obj := range second {
		must(indexer.Update(obj))
	}
	result.UpdateNs = per(started)
	started = time.Now()
	found := 0
	for i := range items {
		objs, err := indexer.ByIndex("app", fmt.Sprintf("app-%d", (i+5)/10))
		must(err)
		found += len(objs)
	}
	result.LookupNs = per(started)
	if len(indexer.ListKeys()) != items || found < items*5 {
		fail("the index lacks objects")
	}
	return result
}
