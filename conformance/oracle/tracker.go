package main

import (
	"encoding/json"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	clienttesting "k8s.io/client-go/testing"
)

// trackerStep is one call of a client of the fake clientset.
type trackerStep struct {
	Verb         string          `json:"verb"`
	Group        string          `json:"group"`
	Version      string          `json:"version"`
	Resource     string          `json:"resource"`
	Kind         string          `json:"kind"`
	Namespace    string          `json:"namespace"`
	Name         string          `json:"name"`
	Object       json.RawMessage `json:"object"`
	PatchType    string          `json:"patchType"`
	FieldManager string          `json:"fieldManager"`
	Force        bool            `json:"force"`
}

type trackerAnswer struct {
	Object  any    `json:"object,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	Failed  bool   `json:"failed,omitempty"`
}

type trackerEvent struct {
	Type   string `json:"type"`
	Object any    `json:"object"`
}

func (s trackerStep) gvr() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: s.Group, Version: s.Version, Resource: s.Resource}
}

func (s trackerStep) decoded() (runtime.Object, error) {
	gvk := schema.GroupVersionKind{Group: s.Group, Version: s.Version, Kind: s.Kind}
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(s.Object, &gvk, nil)
	if err != nil {
		return nil, wrongQuestion{err}
	}
	return object, nil
}

// take makes the call.
func (s trackerStep) take(clientset *fake.Clientset) (runtime.Object, error) {
	gvr := s.gvr()
	switch s.Verb {
	case "create":
		object, err := s.decoded()
		if err != nil {
			return nil, err
		}
		opts := metav1.CreateOptions{FieldManager: s.FieldManager}
		return clientset.Invokes(clienttesting.NewCreateActionWithOptions(gvr, s.Namespace, object, opts), nil)
	case "update":
		object, err := s.decoded()
		if err != nil {
			return nil, err
		}
		opts := metav1.UpdateOptions{FieldManager: s.FieldManager}
		return clientset.Invokes(clienttesting.NewUpdateActionWithOptions(gvr, s.Namespace, object, opts), nil)
	case "patch":
		opts := metav1.PatchOptions{FieldManager: s.FieldManager}
		patchType := types.PatchType(s.PatchType)
		if patchType == types.ApplyPatchType {
			opts.Force = &s.Force
		}
		return clientset.Invokes(clienttesting.NewPatchActionWithOptions(gvr, s.Namespace, s.Name, patchType, s.Object, opts), nil)
	case "delete":
		return clientset.Invokes(clienttesting.NewDeleteAction(gvr, s.Namespace, s.Name), nil)
	case "get":
		return clientset.Invokes(clienttesting.NewGetAction(gvr, s.Namespace, s.Name), nil)
	case "list":
		gvk := schema.GroupVersionKind{Group: s.Group, Version: s.Version, Kind: s.Kind}
		return clientset.Invokes(clienttesting.NewListActionWithOptions(gvr, gvk, s.Namespace, metav1.ListOptions{}), nil)
	}
	return nil, wrongQuestion{errors.New("no such verb: " + s.Verb)}
}

func trackerAnswerOf(object runtime.Object, err error) (trackerAnswer, error) {
	var wrong wrongQuestion
	if errors.As(err, &wrong) {
		return trackerAnswer{}, err
	}
	if err != nil {
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			return trackerAnswer{Failed: true, Reason: string(status.Status().Reason), Message: status.Status().Message}, nil
		}
		return trackerAnswer{Failed: true}, nil
	}
	if object == nil {
		return trackerAnswer{}, nil
	}
	return trackerAnswer{Object: object}, nil
}

func init() {
	register("testing.tracker", func(in struct {
		Objects []json.RawMessage `json:"objects"`
		Steps   []trackerStep     `json:"steps"`
	}) (any, error) {
		objects := make([]runtime.Object, 0, len(in.Objects))
		watched := map[schema.GroupVersionResource]bool{}
		for _, raw := range in.Objects {
			object, gvk, err := scheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
			if err != nil {
				return nil, wrongQuestion{err}
			}
			gvr, _ := meta.UnsafeGuessKindToResource(*gvk)
			watched[gvr] = true
			objects = append(objects, object)
		}
		for _, step := range in.Steps {
			watched[step.gvr()] = true
		}
		clientset := fake.NewClientset(objects...)
		watches := map[string]watch.Interface{}
		for gvr := range watched {
			w, err := clientset.InvokesWatch(clienttesting.NewWatchActionWithOptions(gvr, "", metav1.ListOptions{}))
			if err != nil {
				return nil, err
			}
			watches[gvr.Resource] = w
		}
		answers := make([]trackerAnswer, 0, len(in.Steps))
		for _, step := range in.Steps {
			object, err := step.take(clientset)
			answer, err := trackerAnswerOf(object, err)
			if err != nil {
				return nil, err
			}
			answers = append(answers, answer)
		}
		events := map[string][]trackerEvent{}
		for resource, w := range watches {
			w.Stop()
			events[resource] = []trackerEvent{}
			for event := range w.ResultChan() {
				events[resource] = append(events[resource], trackerEvent{string(event.Type), event.Object})
			}
		}
		return map[string]any{"answers": answers, "events": events}, nil
	})
}
