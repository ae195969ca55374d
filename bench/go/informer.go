// An informer of client-go: how long until it has all pods, how long until it has all changes, and what a pod takes.
package main

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

type informerOptions struct {
	host         string
	pods, events int
	protobuf     bool
	drop         bool
	classic      bool
}

type informerResult struct {
	SyncMs     float64 `json:"syncMs"`
	SyncCPUMs  float64 `json:"syncCpuMs"`
	WatchMs    float64 `json:"watchMs"`
	WatchCPUMs float64 `json:"watchCpuMs"`
	Objects    int     `json:"objects"`
	Last       string  `json:"last"`
	// Live bytes after a collection.
	Heap      uint64 `json:"heap"`
	RSSBefore uint64 `json:"rssBefore"`
	RSS       uint64 `json:"rss"`
	PeakRSS   uint64 `json:"peakRss"`
}

func runInformer(o informerOptions) informerResult {
	if o.classic {
		must(os.Setenv("KUBE_FEATURE_WatchListClient", "false"))
	}
	config := &rest.Config{Host: o.host, QPS: -1}
	config.ContentType = "application/json"
	if o.protobuf {
		config.ContentType = "application/vnd.kubernetes.protobuf"
	}
	clientset, err := kubernetes.NewForConfig(config)
	must(err)
	factory := informers.NewSharedInformerFactory(clientset, 0)
	informer := factory.Core().V1().Pods().Informer()
	if o.drop {
		must(informer.SetTransform(func(obj any) (any, error) {
			obj.(*corev1.Pod).ManagedFields = nil
			return obj, nil
		}))
	}
	var adds, updates atomic.Int64
	all := make(chan string, 1)
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { adds.Add(1) },
		UpdateFunc: func(_, obj any) {
			if updates.Add(1) == int64(o.events) {
				all <- obj.(*corev1.Pod).ResourceVersion
			}
		},
	})
	must(err)

	result := informerResult{RSSBefore: status("VmRSS")}
	heapBefore := liveHeap()
	started, cpu := time.Now(), cpuMs()
	stop := make(chan struct{})
	factory.Start(stop)
	for ok := false; !ok; time.Sleep(time.Millisecond) {
		ok = informer.HasSynced()
	}
	result.SyncMs, result.SyncCPUMs = ms(started), cpuMs()-cpu

	for adds.Load() < int64(o.pods) {
		time.Sleep(time.Millisecond)
	}
	result.Heap = liveHeap() - heapBefore
	time.Sleep(500 * time.Millisecond)
	result.RSS = status("VmRSS")

	if o.events > 0 {
		started, cpu = time.Now(), cpuMs()
		response, err := http.Post(o.host+"/release", "", nil)
		must(err)
		_ = response.Body.Close()
		result.Last = <-all
		result.WatchMs, result.WatchCPUMs = ms(started), cpuMs()-cpu
	}
	result.Objects = len(informer.GetStore().ListKeys())
	result.PeakRSS = status("VmHWM")
	return result
}

func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// Of /proc/self/status, in bytes.
func status(field string) uint64 {
	content, _ := os.ReadFile("/proc/self/status")
	var kilobytes uint64
	if _, rest, ok := strings.Cut(string(content), field+":"); ok {
		_, _ = fmt.Sscan(rest, &kilobytes)
	}
	return kilobytes << 10
}

func cpuMs() float64 {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func ms(since time.Time) float64 { return float64(time.Since(since)) / 1e6 }
