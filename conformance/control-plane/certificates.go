// Keys and certificates: what kube-apiserver serves with, what it trusts clients by, what signs service account
// tokens, and certificates for clients. A throw-away control plane needs them for a day at most.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"flag"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

const validity = 7 * 24 * time.Hour

// runCertificates writes into a directory, each as NAME.crt and NAME.key: server-ca and the apiserver certificate
// that it signed, client-ca, and service-account (key only, and its public half as service-account.pub).
func runCertificates(args []string) {
	flags := flag.NewFlagSet("certificates", flag.ExitOnError)
	directory := flags.String("directory", ".", "where to write them")
	_ = flags.Parse(args)
	at := func(name string) string { return filepath.Join(*directory, name) }

	serverCA := newAuthority("kubewright-server-ca")
	serverCA.write(at("server-ca"))
	newAuthority("kubewright-client-ca").write(at("client-ca"))
	serverCA.sign(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc",
			"kubernetes.default.svc.cluster.local"},
		// 10.0.0.1 is the Service `kubernetes`: the first address of the service range.
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback, net.IPv4(10, 0, 0, 1)},
	}).write(at("apiserver"))

	key := newKey()
	writeKey(at("service-account.key"), key)
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	check("encoding the service account key", err)
	writePEM(at("service-account.pub"), "PUBLIC KEY", public)
}

// runClientCertificate signs a client certificate with the client-ca of a directory. As kube-apiserver reads it, the
// common name is the user and each organization is a group.
func runClientCertificate(args []string) {
	flags := flag.NewFlagSet("client-certificate", flag.ExitOnError)
	directory := flags.String("directory", ".", "what `certificates` wrote")
	user := flags.String("user", "", "user name")
	out := flags.String("out", "client", "path to write to, less .crt and .key")
	var groups []string
	flags.Func("group", "group of the user (repeatable)", func(group string) error {
		groups = append(groups, group)
		return nil
	})
	begins := flags.Duration("begins", 0, "when it becomes valid, from now on; default an hour ago")
	ends := flags.Duration("ends", 0, "when it expires, from now on; default in a week")
	_ = flags.Parse(args)
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: *user, Organization: groups},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	if *begins != 0 {
		template.NotBefore = time.Now().Add(*begins)
	}
	if *ends != 0 {
		template.NotAfter = time.Now().Add(*ends)
	}
	readAuthority(filepath.Join(*directory, "client-ca")).sign(template).write(*out)
}

// pair is a certificate and its private key.
type pair struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(name string) pair {
	authority := pair{key: newKey()}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: name},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	authority.certificate = issue(template, template, authority.key, authority.key)
	return authority
}

func (authority pair) sign(template *x509.Certificate) pair {
	template.KeyUsage = x509.KeyUsageDigitalSignature
	signed := pair{key: newKey()}
	signed.certificate = issue(template, authority.certificate, signed.key, authority.key)
	return signed
}

func issue(template, parent *x509.Certificate, key, signer *ecdsa.PrivateKey) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	check("making a serial number", err)
	template.SerialNumber = serial
	if template.NotBefore.IsZero() {
		// Clocks of a container and its host may differ by a little.
		template.NotBefore = time.Now().Add(-time.Hour)
	}
	if template.NotAfter.IsZero() {
		template.NotAfter = time.Now().Add(validity)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	check("signing the certificate of "+template.Subject.CommonName, err)
	certificate, err := x509.ParseCertificate(der)
	check("reading back the certificate of "+template.Subject.CommonName, err)
	return certificate
}

func newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check("making a key", err)
	return key
}

func (p pair) write(path string) {
	writePEM(path+".crt", "CERTIFICATE", p.certificate.Raw)
	writeKey(path+".key", p.key)
}

func writeKey(path string, key *ecdsa.PrivateKey) {
	der, err := x509.MarshalECPrivateKey(key)
	check("encoding the key "+path, err)
	writePEM(path, "EC PRIVATE KEY", der)
}

func writePEM(path, kind string, der []byte) {
	check("writing "+path, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
}

func readAuthority(path string) pair {
	certificate, err := x509.ParseCertificate(readPEM(path + ".crt"))
	check("reading "+path+".crt", err)
	key, err := x509.ParseECPrivateKey(readPEM(path + ".key"))
	check("reading "+path+".key", err)
	return pair{certificate, key}
}

func readPEM(path string) []byte {
	text, err := os.ReadFile(path)
	check("reading "+path, err)
	block, _ := pem.Decode(text)
	if block == nil {
		fail("reading "+path, os.ErrInvalid)
	}
	return block.Bytes
}

func check(doing string, err error) {
	if err != nil {
		fail(doing, err)
	}
}
