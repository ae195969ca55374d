package main

import (
	"fmt"
	"os"
	"sync/atomic"

	"github.com/spf13/pflag"
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

	register("overrideflags", func(in struct {
		Prefix string   `json:"prefix"`
		Args   []string `json:"args"`
	}) (any, error) {
		var overrides clientcmd.ConfigOverrides
		flags := pflag.NewFlagSet("oracle", pflag.ContinueOnError)
		clientcmd.BindOverrideFlags(&overrides, flags, clientcmd.RecommendedConfigOverrideFlags(in.Prefix))
		if err := flags.Parse(in.Args); err != nil {
			return nil, wrongQuestion{err}
		}
		user, cluster, context := overrides.AuthInfo, overrides.ClusterInfo, overrides.Context
		groups := user.ImpersonateGroups
		if groups == nil {
			groups = []string{}
		}
		return map[string]any{
			"certificate": user.ClientCertificate, "key": user.ClientKey, "token": user.Token,
			"as": user.Impersonate, "uid": user.ImpersonateUID, "groups": groups,
			"username": user.Username, "password": user.Password,
			"server": cluster.Server, "authority": cluster.CertificateAuthority,
			"insecure": cluster.InsecureSkipTLSVerify, "serverName": cluster.TLSServerName,
			"proxy": cluster.ProxyURL, "uncompressed": cluster.DisableCompression,
			"cluster": context.Cluster, "user": context.AuthInfo, "namespace": context.Namespace,
			"context": overrides.CurrentContext, "timeout": overrides.Timeout,
		}, nil
	})
}
