// The server: /{run}/{pods}/{events}/api/v1/pods lists and watches that many pods, and then that many changes of them,
// once /{run}/{pods}/{events}/release was asked for. Prints its URL; ends with its standard input.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// Versions have ten digits: those of pods begin here, those of changes behind all of them.
	firstVersion = 1_000_000_000
	writeSize    = 64 << 10
)

func serve() {
	server := &server{json: inJSON(), protobuf: inProtobuf(), gates: map[string]chan struct{}{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	go func() { must((&http.Server{Handler: server, Protocols: protocols}).Serve(listener)) }()
	fmt.Printf("{\"url\":\"http://%s\",\"podBytes\":%d,\"protobufBytes\":%d}\n", listener.Addr(), len(server.json.item[0].bytes), len(server.protobuf.item[0].bytes))
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

type server struct {
	json, protobuf *encodings
	mutex          sync.Mutex
	gates          map[string]chan struct{}
}

func (s *server) gate(path string) chan struct{} {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.gates[path] == nil {
		s.gates[path] = make(chan struct{})
	}
	return s.gates[path]
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 4)
	if len(parts) != 4 {
		http.NotFound(w, r)
		return
	}
	pods, _ := strconv.Atoi(parts[1])
	events, _ := strconv.Atoi(parts[2])
	run := strings.Join(parts[:3], "/")
	switch parts[3] {
	case "release":
		close(s.gate(run))
	case "api/v1/pods":
		a := answer{w: w, r: r, pods: pods, events: events, gate: s.gate(run), encodings: s.json, contentType: "application/json"}
		if strings.Contains(r.Header.Get("Accept"), "protobuf") {
			a.encodings, a.contentType, a.isProtobuf = s.protobuf, "application/vnd.kubernetes.protobuf", true
		}
		if watch, _ := strconv.ParseBool(r.URL.Query().Get("watch")); watch {
			a.watch()
		} else {
			a.list()
		}
	default:
		http.NotFound(w, r)
	}
}

type answer struct {
	w            http.ResponseWriter
	r            *http.Request
	pods, events int
	gate         chan struct{}
	encodings    *encodings
	contentType  string
	isProtobuf   bool
	buffer       []byte
}

func (a *answer) lastVersion() int { return firstVersion + a.pods }

// Reports whether somebody still reads.
func (a *answer) flushIfFull(full int) bool {
	if len(a.buffer) < full {
		return true
	}
	_, err := a.w.Write(a.buffer)
	a.buffer = a.buffer[:0]
	return err == nil
}

func (a *answer) list() {
	first, end := 0, a.pods
	query := a.r.URL.Query()
	// A limit is kept to as a server does that has to answer from storage.
	limit, _ := strconv.Atoi(query.Get("limit"))
	next := ""
	if version := query.Get("resourceVersion"); limit > 0 && version != "0" {
		first, _ = strconv.Atoi(query.Get("continue"))
		if end = first + limit; end < a.pods {
			next = strconv.Itoa(end)
		} else {
			end = a.pods
		}
	}
	a.w.Header().Set("Content-Type", a.contentType)
	meta := metav1.ListMeta{ResourceVersion: strconv.Itoa(a.lastVersion()), Continue: next}
	if a.isProtobuf {
		encoded, err := meta.Marshal()
		must(err)
		head := append(varint([]byte{1<<3 | 2}, len(encoded)), encoded...)
		size := len(head)
		for i := first; i < end; i++ {
			size += len(a.encodings.item[i%namespaces].bytes)
		}
		// A runtime.Unknown: the type, then the list.
		kind := "\x0a\x02v1\x12\x07PodList"
		a.buffer = append(a.buffer, "k8s\x00"...)
		a.buffer = append(varint(append(a.buffer, 1<<3|2), len(kind)), kind...)
		a.buffer = append(varint(append(a.buffer, 2<<3|2), size), head...)
	} else {
		a.buffer = fmt.Appendf(a.buffer, `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"%s","continue":%q},"items":[`, meta.ResourceVersion, next)
	}
	for i := first; i < end; i++ {
		if !a.isProtobuf && i > first {
			a.buffer = append(a.buffer, ',')
		}
		a.buffer = a.encodings.item[i%namespaces].appendTo(a.buffer, i, firstVersion+i+1)
		if !a.flushIfFull(writeSize) {
			return
		}
	}
	if !a.isProtobuf {
		a.buffer = append(a.buffer, "]}\n"...)
	}
	a.flushIfFull(0)
}

func (a *answer) watch() {
	a.w.Header().Set("Content-Type", a.contentType+map[bool]string{true: ";stream=watch"}[a.isProtobuf])
	flush := func() {
		a.flushIfFull(0)
		a.w.(http.Flusher).Flush()
	}
	if initial, _ := strconv.ParseBool(a.r.URL.Query().Get("sendInitialEvents")); initial {
		for i := range a.pods {
			a.buffer = a.encodings.added[i%namespaces].appendTo(a.buffer, i, firstVersion+i+1)
			if !a.flushIfFull(writeSize) {
				return
			}
		}
		a.buffer = a.encodings.bookmark.appendTo(a.buffer, 0, a.lastVersion())
	}
	flush()
	select {
	case <-a.gate:
	case <-a.r.Context().Done():
		return
	}
	for i := range a.events {
		pod := i % a.pods
		a.buffer = a.encodings.modified[pod%namespaces].appendTo(a.buffer, pod, a.lastVersion()+i+1)
		if !a.flushIfFull(writeSize) {
			return
		}
	}
	flush()
	<-a.r.Context().Done()
}
