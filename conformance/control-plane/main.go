// Command control-plane is a real Kubernetes control plane in one binary: etcd, kube-apiserver,
// kube-controller-manager and kubectl, each behind a subcommand that calls the upstream constructor,
// and the few subcommands that a control plane needs around them.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	_ "time/tzdata" // CronJob time zones must work on machines without a zone database

	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// subcommands are all that the binary can do; each gets the arguments after its name.
var subcommands = map[string]func(args []string){
	"etcd":                    server(runEtcd),
	"kube-apiserver":          server(func([]string) { os.Exit(cli.Run(apiserver.NewAPIServerCommand())) }),
	"kube-controller-manager": server(func([]string) { os.Exit(cli.Run(controllermanager.NewControllerManagerCommand())) }),
	"kubectl":                 runKubectl,
	"certificates":            runCertificates,
	"client-certificate":      runClientCertificate,
	"openapi":                 printOpenAPI,
}

func main() {
	if len(os.Args) < 2 || subcommands[os.Args[1]] == nil {
		fmt.Fprintf(os.Stderr, "usage: control-plane %s [flags]\n", strings.Join(slices.Sorted(maps.Keys(subcommands)), "|"))
		os.Exit(2)
	}
	// Upstream components parse os.Args themselves and print their own name, so the subcommand takes argv[0]'s place.
	os.Args = os.Args[1:]
	subcommands[os.Args[0]](os.Args[1:])
}

// server is a subcommand that runs until it is told to stop, and must not outlive what started it.
func server(run func(args []string)) func(args []string) {
	return func(args []string) {
		watchParent()
		run(args)
	}
}

func runKubectl([]string) {
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}

// fail ends the program with an error that says what was being done.
func fail(doing string, err error) {
	fmt.Fprintf(os.Stderr, "control-plane: %s: %v\n", doing, err)
	os.Exit(1)
}
