// Command control-plane is a real Kubernetes control plane in one binary: etcd, kube-apiserver,
// kube-controller-manager and kubectl, each behind a subcommand that calls the upstream constructor.
package main

import (
	"fmt"
	"os"
	_ "time/tzdata" // CronJob time zones must work on machines without a zone database

	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	component := os.Args[1]
	// Each component parses os.Args itself and prints its own name, so the subcommand takes argv[0]'s place.
	os.Args = append([]string{component}, os.Args[2:]...)
	switch component {
	case "etcd":
		runEtcd(os.Args[1:])
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(controllermanager.NewControllerManagerCommand()))
	case "kubectl":
		if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
			kubectlutil.CheckErr(err)
		}
	default:
		usage()
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: control-plane etcd|kube-apiserver|kube-controller-manager|kubectl [flags]")
	os.Exit(2)
}
