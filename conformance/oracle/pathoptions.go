package main

import (
	"fmt"
	"os"
	"sync/atomic"

	"k8s.io/client-go/tools/clientcmd"
)

// Tells the variables of questions apart, which may be answered at the same time.
var pathVariables atomic.Int64

func init() {
	register("pathoptions", func(in struct {
		Env      string `json:"env"`
		Explicit string `json:"explicit"`
		Global   string `json:"global"`
	}) (any, error) {
		variable := fmt.Sprintf("KUBEWRIGHT_ORACLE_%d", pathVariables.Add(1))
		if err := os.Setenv(variable, in.Env); err != nil {
			return nil, wrongQuestion{err}
		}
		defer func() { _ = os.Unsetenv(variable) }()
		options := &clientcmd.PathOptions{
			GlobalFile:   in.Global,
			EnvVar:       variable,
			LoadingRules: &clientcmd.ClientConfigLoadingRules{ExplicitPath: in.Explicit},
		}
		return map[string]any{
			"precedence": options.GetLoadingPrecedence(),
			"default":    options.GetDefaultFilename(),
			"explicit":   options.IsExplicitFile(),
		}, nil
	})
}
