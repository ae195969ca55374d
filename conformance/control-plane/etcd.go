// etcd: the store, embedded.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"go.etcd.io/etcd/server/v3/embed"
)

// runEtcd serves etcd from a configuration file until SIGINT or SIGTERM.
func runEtcd(args []string) {
	if len(args) != 2 || args[0] != "--config-file" {
		fmt.Fprintln(os.Stderr, "usage: control-plane etcd --config-file FILE")
		os.Exit(2)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	config, err := embed.ConfigFromFile(args[1])
	if err != nil {
		fail("reading the etcd configuration "+args[1], err)
	}
	server, err := embed.StartEtcd(config)
	if err != nil {
		fail("starting etcd", err)
	}
	select {
	case <-stop:
	case err := <-server.Err():
		fail("etcd stopped", err)
	}
	server.Close()
}
