package main

import (
	"encoding/json"
	"fmt"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var nameChecks = map[string]func(string) []string{
	"dns1123Label":                   validation.IsDNS1123Label,
	"dns1123Subdomain":               validation.IsDNS1123Subdomain,
	"dns1123SubdomainWithUnderscore": validation.IsDNS1123SubdomainWithUnderscore,
	"dns1035Label":                   validation.IsDNS1035Label,
	"wildcardDNS1123Subdomain":       validation.IsWildcardDNS1123Subdomain,
	"qualifiedName":                  validation.IsQualifiedName,
	"labelValue":                     validation.IsValidLabelValue,
	"pathSegment":                    path.IsValidPathSegmentName,
	"cIdentifier":                    validation.IsCIdentifier,
	"portName":                       validation.IsValidPortName,
	"percent":                        validation.IsValidPercent,
	"httpHeaderName":                 validation.IsHTTPHeaderName,
	"envVarName":                     validation.IsEnvVarName,
	"relaxedEnvVarName":              validation.IsRelaxedEnvVarName,
	"configMapKey":                   validation.IsConfigMapKey,
	"fullyQualifiedName":             bodies(validation.IsFullyQualifiedName),
	"fullyQualifiedDomainName":       bodies(validation.IsFullyQualifiedDomainName),
	"domainPrefixedPath":             bodies(validation.IsDomainPrefixedPath),
	"domainPrefixedKey":              bodies(validation.IsDomainPrefixedKey),
	"ip":                             details(validation.IsValidIP),
	"cidr":                           details(validation.IsValidCIDR),
	"interfaceAddress":               details(validation.IsValidInterfaceAddress),
	"generateSubdomain":              func(name string) []string { return apivalidation.NameIsDNSSubdomain(name, true) },
	"generateLabel":                  func(name string) []string { return apivalidation.NameIsDNSLabel(name, true) },
}

var numberChecks = map[string]func(int64) []string{
	"portNum": func(port int64) []string { return validation.IsValidPortNum(int(port)) },
	"userID":  validation.IsValidUserID,
	"groupID": validation.IsValidGroupID,
}

// What is wrong, without the field it is of.
func bodies(check func(*field.Path, string) field.ErrorList) func(string) []string {
	return func(value string) (problems []string) {
		for _, err := range check(field.NewPath("field"), value) {
			problems = append(problems, err.ErrorBody())
		}
		return problems
	}
}

// What is wrong, without the field and the value.
func details(check func(*field.Path, string) field.ErrorList) func(string) []string {
	return func(value string) (problems []string) {
		for _, err := range check(field.NewPath("field"), value) {
			problems = append(problems, err.Detail)
		}
		return problems
	}
}

func texts(errs field.ErrorList) []string {
	problems := []string{}
	for _, err := range errs {
		problems = append(problems, err.Error())
	}
	return problems
}

func init() {
	register("names.check", func(in struct {
		Check string `json:"check"`
		Value string `json:"value"`
	}) (any, error) {
		check, found := nameChecks[in.Check]
		if !found {
			return nil, wrongQuestion{fmt.Errorf("there is no check %q", in.Check)}
		}
		return append([]string{}, check(in.Value)...), nil
	})
	register("names.checkNumber", func(in struct {
		Check string `json:"check"`
		Value int64  `json:"value"`
	}) (any, error) {
		check, found := numberChecks[in.Check]
		if !found {
			return nil, wrongQuestion{fmt.Errorf("there is no check %q", in.Check)}
		}
		return append([]string{}, check(in.Value)...), nil
	})
	register("names.annotations", func(in map[string]string) (any, error) {
		return texts(apivalidation.ValidateAnnotations(in, field.NewPath("metadata"))), nil
	})
	register("names.finalizers", func(in []string) (any, error) {
		return texts(apivalidation.ValidateFinalizers(in, field.NewPath("metadata"))), nil
	})
	register("names.ownerReferences", func(in []metav1.OwnerReference) (any, error) {
		problems := []string{}
		for _, err := range apivalidation.ValidateOwnerReferences(in, field.NewPath("metadata")) {
			// Of the whole reference, and of all of them, the value is not compared.
			if err.Field == "metadata" {
				problems = append(problems, err.Detail)
			} else {
				problems = append(problems, err.Error())
			}
		}
		return problems, nil
	})
	register("names.safeEncodeString", func(in struct {
		Text string `json:"text"`
	}) (any, error) {
		return raw(json.Marshal(rand.SafeEncodeString(in.Text)))
	})
}
