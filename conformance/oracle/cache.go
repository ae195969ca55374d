package main

import (
	"sort"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// An object of a cache: what keys, indices and versions are made of.
type cached struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	Version   string `json:"version"`
	Label     string `json:"label"`
	// A deletion that was missed, of this object.
	Unknown bool `json:"unknown"`
}

func (c cached) object() *metav1.PartialObjectMetadata {
	labels := map[string]string{}
	if c.Label != "" {
		labels["app"] = c.Label
	}
	return &metav1.PartialObjectMetadata{
		ObjectMeta: metav1.ObjectMeta{Name: c.Name, Namespace: c.Namespace, ResourceVersion: c.Version, Labels: labels},
	}
}

func (c cached) key() string {
	key, err := cache.MetaNamespaceKeyFunc(c.object())
	if err != nil {
		panic(err)
	}
	return key
}

func (c cached) given() any {
	if c.Unknown {
		return cache.DeletedFinalStateUnknown{Key: c.key(), Obj: c.object()}
	}
	return c.object()
}

func objects(all []cached) []any {
	list := []any{}
	for _, one := range all {
		list = append(list, one.object())
	}
	return list
}

type cacheStep struct {
	Op      string   `json:"op"`
	Object  cached   `json:"object"`
	Objects []cached `json:"objects"`
	Value   string   `json:"value"`
}

// Each object in two values: its label, and whether it has a namespace.
var appIndexer = cache.Indexers{"app": func(obj any) ([]string, error) {
	object := obj.(*metav1.PartialObjectMetadata)
	values := []string{}
	if app, found := object.Labels["app"]; found {
		values = append(values, app)
	}
	if object.Namespace == "" {
		values = append(values, "cluster")
	}
	return values, nil
}}

func described(obj any) string {
	object := obj.(*metav1.PartialObjectMetadata)
	return object.Namespace + "/" + object.Name + "@" + object.ResourceVersion
}

func describedAll(all []any) []string {
	texts := []string{}
	for _, obj := range all {
		texts = append(texts, described(obj))
	}
	sort.Strings(texts)
	return texts
}

func sorted(texts []string) []string {
	copied := append([]string{}, texts...)
	sort.Strings(copied)
	return copied
}

func indexerSteps(steps []cacheStep) (any, error) {
	indexer := cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, appIndexer)
	seen := []any{}
	for _, step := range steps {
		var err error
		switch step.Op {
		case "add":
			err = indexer.Add(step.Object.object())
		case "update":
			err = indexer.Update(step.Object.object())
		case "delete":
			err = indexer.Delete(step.Object.given())
		case "replace":
			err = indexer.Replace(objects(step.Objects), step.Value)
		case "bookmark":
			indexer.Bookmark(step.Value)
		}
		if err != nil {
			return nil, err
		}
		byIndex := map[string]any{}
		for _, value := range sorted(indexer.ListIndexFuncValues("app")) {
			objs, err := indexer.ByIndex("app", value)
			if err != nil {
				return nil, err
			}
			keys, err := indexer.IndexKeys("app", value)
			if err != nil {
				return nil, err
			}
			byIndex[value] = []any{describedAll(objs), keys}
		}
		like, err := indexer.Index("app", step.Object.object())
		if err != nil {
			return nil, err
		}
		seen = append(seen, map[string]any{
			"list":    describedAll(indexer.List()),
			"keys":    sorted(indexer.ListKeys()),
			"byIndex": byIndex,
			"like":    describedAll(like),
			"version": indexer.LastStoreSyncResourceVersion(),
		})
	}
	return seen, nil
}

func deltaFIFOSteps(in struct {
	Known    []cached    `json:"known"`
	Replaced bool        `json:"replaced"`
	Steps    []cacheStep `json:"steps"`
}) (any, error) {
	options := cache.DeltaFIFOOptions{KeyFunction: cache.MetaNamespaceKeyFunc, EmitDeltaTypeReplaced: in.Replaced}
	if in.Known != nil {
		known := cache.NewStore(cache.MetaNamespaceKeyFunc)
		if err := known.Replace(objects(in.Known), ""); err != nil {
			return nil, err
		}
		options.KnownObjects = known
	}
	queue := cache.NewDeltaFIFOWithOptions(options)
	// A closed queue takes what it is given, and says when it is empty.
	queue.Close()
	seen := []any{}
	for _, step := range in.Steps {
		var err error
		taken := map[string]any{}
		initial := 0
		switch step.Op {
		case "add":
			err = queue.Add(step.Object.object())
		case "update":
			err = queue.Update(step.Object.object())
		case "delete":
			err = queue.Delete(step.Object.given())
		case "replace":
			err = queue.Replace(objects(step.Objects), "")
		case "resync":
			err = queue.Resync()
		case "drain":
			for {
				_, err := queue.Pop(func(obj any, isInInitialList bool) error {
					deltas := obj.(cache.Deltas)
					key, err := queue.KeyOf(deltas)
					if err != nil {
						return err
					}
					texts := []string{}
					for _, delta := range deltas {
						object, unknown := delta.Object, ""
						if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
							object, unknown = tombstone.Obj, "?"
						}
						texts = append(texts, string(delta.Type)+unknown+" "+described(object))
					}
					taken[key] = texts
					if isInInitialList {
						initial++
					}
					return nil
				})
				if err == cache.ErrFIFOClosed {
					break
				}
				if err != nil {
					return nil, err
				}
			}
		}
		if err != nil {
			return nil, err
		}
		seen = append(seen, map[string]any{"taken": taken, "initial": initial, "synced": queue.HasSynced()})
	}
	return seen, nil
}

func heapSteps(steps []struct {
	Op    string `json:"op"`
	Key   string `json:"key"`
	Value int    `json:"value"`
}) (any, error) {
	type item struct {
		key   string
		value int
	}
	heap := cache.NewHeap(
		func(obj any) (string, error) { return obj.(item).key, nil },
		func(a, b any) bool { return a.(item).value < b.(item).value },
	)
	seen := []any{}
	for _, step := range steps {
		one := item{step.Key, step.Value}
		result := ""
		switch step.Op {
		case "add":
			if err := heap.Add(one); err != nil {
				return nil, err
			}
		case "addIfNotPresent":
			if err := heap.AddIfNotPresent(one); err != nil {
				return nil, err
			}
		case "delete":
			if err := heap.Delete(one); err != nil {
				result = err.Error()
			}
		case "pop":
			if len(heap.ListKeys()) > 0 {
				popped, err := heap.Pop()
				if err != nil {
					return nil, err
				}
				result = popped.(item).key
			}
		}
		seen = append(seen, map[string]any{"result": result, "keys": sorted(heap.ListKeys())})
	}
	return seen, nil
}

// The zero logger drops everything; its type is in a module that nothing here needs otherwise.
func newMutationCache[Logger any](
	make func(Logger, cache.Store, cache.Indexer, time.Duration, bool) cache.MutationCache, indexer cache.Indexer, includeAdds bool,
) cache.MutationCache {
	var silent Logger
	return make(silent, indexer, indexer, time.Hour, includeAdds)
}

func mutationCacheSteps(in struct {
	IncludeAdds bool        `json:"includeAdds"`
	Steps       []cacheStep `json:"steps"`
}) (any, error) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, appIndexer)
	mutations := newMutationCache(cache.NewIntegerResourceVersionMutationCache, indexer, in.IncludeAdds)
	seen := []any{}
	for _, step := range in.Steps {
		var err error
		result := ""
		switch step.Op {
		case "update":
			err = indexer.Update(step.Object.object())
		case "delete":
			err = indexer.Delete(step.Object.object())
		case "mutation":
			mutations.Mutation(step.Object.object())
		case "get":
			obj, found, getErr := mutations.GetByKey(step.Object.key())
			if found {
				result = described(obj)
			}
			err = getErr
		}
		if err != nil {
			return nil, err
		}
		seen = append(seen, result)
	}
	return seen, nil
}

func init() {
	register("cache.key", func(in cached) (any, error) { return in.key(), nil })
	register("cache.split", func(in struct {
		Key string `json:"key"`
	}) (any, error) {
		namespace, name, err := cache.SplitMetaNamespaceKey(in.Key)
		if err != nil {
			return nil, err
		}
		return map[string]string{"namespace": namespace, "name": name}, nil
	})
	register("cache.indexer", indexerSteps)
	register("cache.deltaFIFO", deltaFIFOSteps)
	register("cache.heap", heapSteps)
	register("cache.mutationCache", mutationCacheSteps)
}
