// Answers questions about client-go: a JSON question a line on standard input, a JSON answer a line on standard output.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
)

// A room answers the questions about one function. Rooms register themselves in their topic's file.
type room func(input json.RawMessage) (any, error)

var rooms = map[string]room{}

func register[Input any](name string, answer func(Input) (any, error)) {
	if _, taken := rooms[name]; taken {
		panic("two rooms are named " + name)
	}
	rooms[name] = func(raw json.RawMessage) (any, error) {
		var input Input
		if err := json.Unmarshal(raw, &input); err != nil {
			return nil, wrongQuestion{err}
		}
		return answer(input)
	}
}

// raw answers with JSON that Go has written, as it stands.
func raw(text []byte, err error) (any, error) {
	return json.RawMessage(text), err
}

// wrongQuestion tells a mistake in the question from an answer of client-go.
type wrongQuestion struct{ error }

type question struct {
	ID    int64           `json:"id"`
	Room  string          `json:"room"`
	Input json.RawMessage `json:"input"`
}

type answer struct {
	ID            int64   `json:"id"`
	Result        any     `json:"result,omitempty"`
	Error         *string `json:"error,omitempty"`
	Panic         bool    `json:"panic,omitempty"`
	WrongQuestion bool    `json:"wrongQuestion,omitempty"`
}

func ask(q question) (a answer) {
	a.ID = q.ID
	defer func() {
		if reason := recover(); reason != nil {
			text := fmt.Sprint(reason)
			a.Result, a.Error, a.Panic = nil, &text, true
		}
	}()
	room, found := rooms[q.Room]
	if !found {
		text := fmt.Sprintf("there is no room %q", q.Room)
		a.Error, a.WrongQuestion = &text, true
		return a
	}
	result, err := room(q.Input)
	if err != nil {
		text := err.Error()
		_, a.WrongQuestion = err.(wrongQuestion)
		a.Error = &text
		return a
	}
	a.Result = result
	return a
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			log.Fatalf("a question that is no JSON: %v", err)
		}
		if err := encoder.Encode(ask(q)); err != nil {
			log.Fatalf("answering question %d: %v", q.ID, err)
		}
		// Answers leave together while more questions are waiting.
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}
