package main

import (
	"encoding/json"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type instant struct {
	Nanoseconds string          `json:"nanoseconds"`
	Time        json.RawMessage `json:"time"`
	MicroTime   json.RawMessage `json:"microTime"`
}

func describeInstant(t time.Time) (any, error) {
	// UnixNano ends in 2262.
	nanoseconds := strconv.FormatInt(t.Unix(), 10) + ":" + strconv.Itoa(t.Nanosecond())
	whole, err := json.Marshal(metav1.NewTime(t))
	if err != nil {
		return nil, err
	}
	micro, err := json.Marshal(metav1.NewMicroTime(t))
	if err != nil {
		return nil, err
	}
	return instant{nanoseconds, whole, micro}, nil
}

func init() {
	type text struct {
		Text string `json:"text"`
	}
	register("time.parse", func(in text) (any, error) {
		quoted, err := json.Marshal(in.Text)
		if err != nil {
			return nil, err
		}
		var t metav1.Time
		if err := t.UnmarshalJSON(quoted); err != nil {
			return nil, err
		}
		return describeInstant(t.Time)
	})
	register("time.parseMicro", func(in text) (any, error) {
		quoted, err := json.Marshal(in.Text)
		if err != nil {
			return nil, err
		}
		var t metav1.MicroTime
		if err := t.UnmarshalJSON(quoted); err != nil {
			return nil, err
		}
		return describeInstant(t.Time)
	})
	register("time.format", func(in struct {
		Seconds     int64 `json:"seconds"`
		Nanoseconds int64 `json:"nanoseconds"`
	}) (any, error) {
		return describeInstant(time.Unix(in.Seconds, in.Nanoseconds))
	})
	register("duration.parse", func(in text) (any, error) {
		quoted, err := json.Marshal(in.Text)
		if err != nil {
			return nil, err
		}
		var d metav1.Duration
		if err := d.UnmarshalJSON(quoted); err != nil {
			return nil, err
		}
		return map[string]string{
			"nanoseconds": strconv.FormatInt(d.Nanoseconds(), 10),
			"string":      d.Duration.String(),
		}, nil
	})
	register("duration.format", func(in struct {
		Nanoseconds string `json:"nanoseconds"`
	}) (any, error) {
		nanoseconds, err := strconv.ParseInt(in.Nanoseconds, 10, 64)
		if err != nil {
			return nil, wrongQuestion{err}
		}
		return time.Duration(nanoseconds).String(), nil
	})
}
