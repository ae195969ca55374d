package main

import (
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Numbers are text where they may not fit a JSON number.
type quantity struct {
	String   string `json:"string"`
	Format   string `json:"format"`
	Unscaled string `json:"unscaled"`
	Exponent int32  `json:"exponent"`
}

func describeQuantity(q resource.Quantity) quantity {
	dec := q.DeepCopy()
	unscaled := dec.AsDec().UnscaledBig().String()
	return quantity{q.String(), string(q.Format), unscaled, int32(-dec.AsDec().Scale())}
}

func init() {
	register("quantity.parse", func(in struct {
		Text string `json:"text"`
	}) (any, error) {
		q, err := resource.ParseQuantity(in.Text)
		if err != nil {
			return nil, err
		}
		negated := q.DeepCopy()
		negated.Neg()
		return map[string]any{
			"quantity":   describeQuantity(q),
			"negated":    describeQuantity(negated),
			"sign":       q.Sign(),
			"isZero":     q.IsZero(),
			"value":      strconv.FormatInt(q.Value(), 10),
			"milliValue": strconv.FormatInt(q.MilliValue(), 10),
			"float":      strconv.FormatFloat(q.AsApproximateFloat64(), 'g', -1, 64),
		}, nil
	})
	register("quantity.scale", func(in struct {
		Text   string `json:"text"`
		Scale  int32  `json:"scale"`
		Factor string `json:"factor"`
	}) (any, error) {
		q, err := resource.ParseQuantity(in.Text)
		if err != nil {
			return nil, err
		}
		factor, err := strconv.ParseInt(in.Factor, 10, 64)
		if err != nil {
			return nil, wrongQuestion{err}
		}
		product, rounded := q.DeepCopy(), q.DeepCopy()
		product.Mul(factor)
		rounded.RoundUp(resource.Scale(in.Scale))
		whole, isWhole := q.AsInt64()
		return map[string]any{
			"product": describeQuantity(product),
			"rounded": describeQuantity(rounded),
			"scaled":  strconv.FormatInt(q.ScaledValue(resource.Scale(in.Scale)), 10),
			"asInt64": strconv.FormatInt(whole, 10),
			"isInt64": isWhole,
		}, nil
	})
	register("quantity.pair", func(in struct {
		A string `json:"a"`
		B string `json:"b"`
	}) (any, error) {
		a, err := resource.ParseQuantity(in.A)
		if err != nil {
			return nil, err
		}
		b, err := resource.ParseQuantity(in.B)
		if err != nil {
			return nil, err
		}
		sum, difference := a.DeepCopy(), a.DeepCopy()
		sum.Add(b.DeepCopy())
		difference.Sub(b.DeepCopy())
		return map[string]any{
			"sum":        describeQuantity(sum),
			"difference": describeQuantity(difference),
			"cmp":        a.Cmp(b),
			"equal":      a.Equal(b),
		}, nil
	})
}
