// Pods like those of a cluster: 5.9 KB of JSON each, two fifths of it managedFields.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

// What differs from pod to pod has a fixed length, so that a pod is made by writing over a copy of the encoded template.
const (
	markName    = "NNNNNNN"
	markVersion = "7777777777"
)

// The i-th pod's namespace is one of so many; each has a template of its own.
const namespaces = 16

func template(variant int) *corev1.Pod {
	at := metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	container := func(name string) corev1.Container {
		var env []corev1.EnvVar
		for i := range 3 {
			env = append(env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", i), Value: fmt.Sprintf("a \"quoted\" value %d", i)})
		}
		list := func(cpu, memory string) corev1.ResourceList {
			return corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory)}
		}
		return corev1.Container{
			Name: name, Image: "registry.example.com/team/" + name + ":1.2.3",
			Args:                   []string{"--verbose", "--name=" + name},
			Env:                    env,
			Ports:                  []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: "TCP"}},
			Resources:              corev1.ResourceRequirements{Requests: list("100m", "128Mi"), Limits: list("1", "1Gi")},
			VolumeMounts:           []corev1.VolumeMount{{Name: "kube-api-access", ReadOnly: true, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount"}},
			TerminationMessagePath: "/dev/termination-log",
			ImagePullPolicy:        "IfNotPresent",
		}
	}
	managed := func(manager, subresource string, fields ...string) metav1.ManagedFieldsEntry {
		raw := "{" + strings.Join(fields, ",") + "}"
		return metav1.ManagedFieldsEntry{
			Manager: manager, Operation: "Update", APIVersion: "v1", Time: &at, FieldsType: "FieldsV1",
			FieldsV1: &metav1.FieldsV1{Raw: []byte(raw)}, Subresource: subresource,
		}
	}
	owned := func(name string) string {
		return `"k:{\"name\":\"` + name + `\"}":{".":{},"f:args":{},"f:env":{".":{},"k:{\"name\":\"SETTING_0\"}":{".":{},"f:name":{},"f:value":{}},"k:{\"name\":\"SETTING_1\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{},"f:protocol":{}}},"f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}`
	}
	condition := func(kind string) string {
		return `"k:{\"type\":\"` + kind + `\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}`
	}
	yes, no, seconds, mode := true, false, int64(300), int32(420)
	status := func(name string) corev1.ContainerStatus {
		return corev1.ContainerStatus{
			Name: name, Ready: true, Started: &yes, Image: "registry.example.com/team/" + name + ":1.2.3",
			ImageID:     "sha256:4fbb8e6a8395de5a7550b33509421a2bafbc0aab6c06ba2cef9ebffbc7092d90",
			ContainerID: "containerd://3b8e3b6a8395de5a7550b33509421a2b",
			State:       corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}},
		}
	}
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name: "web-7d4b9c6f5-" + markName, GenerateName: "web-7d4b9c6f5-", Namespace: fmt.Sprintf("namespace-%02d", variant),
			UID: types.UID("2f6f6a5e-1f0b-4b57-9d0a-00000" + markName), ResourceVersion: markVersion, CreationTimestamp: at,
			Labels: map[string]string{
				"app.kubernetes.io/name": "web", "app.kubernetes.io/instance": "web-" + markName, "app.kubernetes.io/version": "1.2.3",
				"pod-template-hash": "7d4b9c6f5", "team.example.com/owner": fmt.Sprintf("team-%d", variant%4),
			},
			Annotations: map[string]string{
				"prometheus.io/scrape":    "true",
				"example.com/description": "Serves the pages of the shop.",
			},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-7d4b9c6f5", UID: "9b1f8c1e-9f5b-4a86-8b84-5b8b2b9e8c11", Controller: &yes, BlockOwnerDeletion: &yes,
			}},
			ManagedFields: []metav1.ManagedFieldsEntry{
				managed("kube-controller-manager", "", `"f:metadata":{"f:annotations":{".":{},"f:example.com/description":{},"f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},"f:app.kubernetes.io/name":{},"f:app.kubernetes.io/version":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"9b1f8c1e-9f5b-4a86-8b84-5b8b2b9e8c11\"}":{}}}`,
					`"f:spec":{"f:containers":{`+owned("main")+`,`+owned("proxy")+`},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}`),
				managed("kubelet", "status", `"f:status":{"f:conditions":{`+strings.Join([]string{condition("ContainersReady"), condition("Initialized"), condition("Ready")}, ",")+`},"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"f:startTime":{}}`),
			},
		},
		Spec: corev1.PodSpec{
			Containers:    []corev1.Container{container("main"), container("proxy")},
			RestartPolicy: "Always", DNSPolicy: "ClusterFirst", ServiceAccountName: "default", DeprecatedServiceAccount: "default",
			NodeName: fmt.Sprintf("node-%02d", variant), SchedulerName: "default-scheduler", EnableServiceLinks: &no,
			SecurityContext: &corev1.PodSecurityContext{}, TerminationGracePeriodSeconds: &seconds,
			Volumes: []corev1.Volume{{Name: "kube-api-access", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{
				DefaultMode: &mode,
				Sources:     []corev1.VolumeProjection{{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"}}}},
			}}}},
		},
		Status: corev1.PodStatus{
			Phase: "Running", PodIP: "10.0.0.1", HostIP: "192.168.0.1", StartTime: &at, QOSClass: "Burstable",
			ContainerStatuses: []corev1.ContainerStatus{status("main"), status("proxy")},
		},
	}
	for _, kind := range []corev1.PodConditionType{"Initialized", "Ready", "ContainersReady", "PodScheduled"} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: kind, Status: "True", LastTransitionTime: at})
	}
	return pod
}

// A stencil is something encoded with marks in it, and where they are.
type stencil struct {
	bytes    []byte
	names    []int
	versions []int
}

func newStencil(encoded []byte) *stencil {
	return &stencil{encoded, positions(encoded, markName), positions(encoded, markVersion)}
}

func positions(in []byte, mark string) []int {
	var found []int
	for at := 0; ; {
		next := bytes.Index(in[at:], []byte(mark))
		if next < 0 {
			return found
		}
		found = append(found, at+next)
		at += next + len(mark)
	}
}

// Appends the thing of that number and version.
func (s *stencil) appendTo(to []byte, number, version int) []byte {
	start := len(to)
	to = append(to, s.bytes...)
	for _, at := range s.names {
		digits(to[start+at:start+at+len(markName)], number)
	}
	for _, at := range s.versions {
		digits(to[start+at:start+at+len(markVersion)], version)
	}
	return to
}

func digits(to []byte, value int) {
	for i := len(to) - 1; i >= 0; i-- {
		to[i] = byte('0' + value%10)
		value /= 10
	}
	// Versions are compared as numbers, which begin with no zero; names do not mind.
	if to[0] == '0' {
		to[0] = '1'
	}
}

// The encodings of all variants.
type encodings struct {
	item     [namespaces]*stencil
	added    [namespaces]*stencil
	modified [namespaces]*stencil
	bookmark *stencil
}

func inJSON() *encodings {
	result := &encodings{}
	encode := func(value any) *stencil {
		encoded, err := json.Marshal(value)
		must(err)
		return newStencil(encoded)
	}
	event := func(kind string, object runtime.Object) *stencil {
		made := encode(map[string]any{"type": kind, "object": object})
		// Servers write the type first.
		var whole struct {
			Object json.RawMessage `json:"object"`
		}
		must(json.Unmarshal(made.bytes, &whole))
		return newStencil([]byte(`{"type":"` + kind + `","object":` + string(whole.Object) + "}\n"))
	}
	for variant := range namespaces {
		pod := template(variant)
		result.added[variant], result.modified[variant] = event("ADDED", pod), event("MODIFIED", pod)
		pod.TypeMeta = metav1.TypeMeta{}
		result.item[variant] = encode(pod)
	}
	result.bookmark = event("BOOKMARK", initialEventsEnd())
	return result
}

func inProtobuf() *encodings {
	result := &encodings{}
	object := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	event := func(kind string, of runtime.Object) *stencil {
		var raw bytes.Buffer
		must(object.Encode(of, &raw))
		encoded, err := (&metav1.WatchEvent{Type: kind, Object: runtime.RawExtension{Raw: raw.Bytes()}}).Marshal()
		must(err)
		n := len(encoded)
		return newStencil(append([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, encoded...))
	}
	for variant := range namespaces {
		pod := template(variant)
		result.added[variant], result.modified[variant] = event("ADDED", pod), event("MODIFIED", pod)
		encoded, err := pod.Marshal()
		must(err)
		// Field 2 of a PodList.
		result.item[variant] = newStencil(append(varint([]byte{2<<3 | 2}, len(encoded)), encoded...))
	}
	result.bookmark = event("BOOKMARK", initialEventsEnd())
	return result
}

func initialEventsEnd() *corev1.Pod {
	return &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{ResourceVersion: markVersion, Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}},
	}
}

func varint(to []byte, value int) []byte {
	for ; value >= 0x80; value >>= 7 {
		to = append(to, byte(value)|0x80)
	}
	return append(to, byte(value))
}

func must(err error) {
	if err != nil {
		fail("%v", err)
	}
}
