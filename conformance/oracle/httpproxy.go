package main

import (
	"net/url"

	"golang.org/x/net/http/httpproxy"
)

func init() {
	register("httpproxy", func(input struct {
		HTTPProxy  string `json:"httpProxy"`
		HTTPSProxy string `json:"httpsProxy"`
		NoProxy    string `json:"noProxy"`
		CGI        bool   `json:"cgi"`
		URL        string `json:"url"`
	}) (any, error) {
		target, err := url.Parse(input.URL)
		if err != nil {
			return nil, wrongQuestion{err}
		}
		config := httpproxy.Config{
			HTTPProxy:  input.HTTPProxy,
			HTTPSProxy: input.HTTPSProxy,
			NoProxy:    input.NoProxy,
			CGI:        input.CGI,
		}
		proxy, err := config.ProxyFunc()(target)
		if err != nil {
			return nil, err
		}
		if proxy == nil {
			return "", nil
		}
		return proxy.String(), nil
	})
}
