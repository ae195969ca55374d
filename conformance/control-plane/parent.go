// The bond between a server and the process that started it: a pipe that only that process holds open. The
// kernel closes it however the process ends, SIGKILL included, which no signal handler or exit hook can promise.
package main

import (
	"io"
	"os"
)

const (
	// watchParentVariable set to "1": standard input is that pipe.
	watchParentVariable = "CONTROL_PLANE_WATCH_PARENT"
	// removeVariable names a directory to remove when the parent is gone, since it can no longer do so.
	removeVariable = "CONTROL_PLANE_REMOVE_DIRECTORY"
)

// watchParent ends this process at once when the parent is gone. Nobody is left who could read the data, so
// there is nothing to shut down in order.
func watchParent() {
	if os.Getenv(watchParentVariable) != "1" {
		return
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		if directory := os.Getenv(removeVariable); directory != "" {
			_ = os.RemoveAll(directory)
		}
		os.Exit(1)
	}()
}
