package main

import (
	"github.com/spf13/pflag"
	"k8s.io/client-go/tools/clientcmd"
)

func init() {
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
