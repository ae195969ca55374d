package main

import (
	"bytes"
	"errors"
	"regexp"

	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/util/jsonpath"
)

// Go walks maps in another order each time. Where order matters, one that leads to the expected text is looked for.
const jsonpathAttempts = 300

var (
	// The whole value, where ours shows its type, as documented.
	jsonpathUnfiltered = regexp.MustCompile(`(?s)^.* (is not array or slice and cannot be filtered)$`)
	// Go has several types of whole numbers; ours, as JSON, has one.
	jsonpathWholeNumber = regexp.MustCompile(`^u?int\d* is not`)
)

// An error without what ours says otherwise on purpose.
func comparableJSONPathError(err error) error {
	text := jsonpathUnfiltered.ReplaceAllString(err.Error(), "what $1")
	return errors.New(jsonpathWholeNumber.ReplaceAllString(text, "int64 is not"))
}

func init() {
	type input struct {
		Template         string `json:"template"`
		Data             string `json:"data"`
		AllowMissingKeys bool   `json:"allowMissingKeys"`
		JSONOutput       bool   `json:"jsonOutput"`
		Expected         string `json:"expected"`
	}
	type found struct {
		Text   string `json:"text"`
		Counts []int  `json:"counts"`
	}
	execute := func(in input, data any) (*found, error) {
		// One for each time: a range leaves a template changed.
		path := jsonpath.New("oracle").AllowMissingKeys(in.AllowMissingKeys)
		path.EnableJSONOutput(in.JSONOutput)
		if err := path.Parse(in.Template); err != nil {
			return nil, err
		}
		results, err := path.FindResults(data)
		if err != nil {
			return nil, comparableJSONPathError(err)
		}
		answer := &found{Counts: []int{}}
		var text bytes.Buffer
		for _, values := range results {
			answer.Counts = append(answer.Counts, len(values))
			if err := path.PrintResults(&text, values); err != nil {
				return nil, err
			}
		}
		answer.Text = text.String()
		return answer, nil
	}
	register("jsonpath.execute", func(in input) (any, error) {
		var data any
		// Whole numbers as int64, as kubectl reads objects.
		if err := json.Unmarshal([]byte(in.Data), &data); err != nil {
			return nil, wrongQuestion{err}
		}
		var answer *found
		var err error
		for range jsonpathAttempts {
			answer, err = execute(in, data)
			if err == nil && answer.Text == in.Expected || err != nil && err.Error() == in.Expected {
				break
			}
		}
		if err != nil {
			return nil, err
		}
		return answer, nil
	})
}
