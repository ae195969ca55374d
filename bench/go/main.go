// The Go side of the benchmarks: a server of canned pods, and the same work on client-go. Prints one line of JSON.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fail("usage: bench serve | informer | queue | index, each with its flags")
	}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	host := flags.String("host", "", "of the server, with the path that serve expects")
	pods := flags.Int("pods", 10_000, "")
	events := flags.Int("events", 20_000, "")
	protobuf := flags.Bool("protobuf", false, "else JSON")
	drop := flags.Bool("drop", false, "managedFields")
	classic := flags.Bool("classic", false, "list, else stream the initial objects")
	items := flags.Int("items", 1_000_000, "of a queue or an index")
	perValue := flags.Int("per-value", 10, "objects to a value of an index")
	indices := flags.Int("indices", 1, "that an update changes")
	_ = flags.Parse(os.Args[2:])

	var result any
	switch os.Args[1] {
	case "serve":
		serve()
	case "informer":
		result = runInformer(informerOptions{*host, *pods, *events, *protobuf, *drop, *classic})
	case "queue":
		result = runQueue(*items)
	case "index":
		result = runIndex(*items, *perValue, *indices)
	default:
		fail("there is no %q", os.Args[1])
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		fail("%v", err)
	}
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}
