package main

import "k8s.io/apimachinery/pkg/util/intstr"

func init() {
	register("intstr.parse", func(in struct {
		Text string `json:"text"`
	}) (any, error) {
		return intstr.Parse(in.Text), nil
	})
	register("intstr.scaled", func(in struct {
		Value   *intstr.IntOrString `json:"value"`
		Total   int                 `json:"total"`
		RoundUp bool                `json:"roundUp"`
	}) (any, error) {
		return intstr.GetScaledValueFromIntOrPercent(in.Value, in.Total, in.RoundUp)
	})
}
