package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// recorded is a question and the answer that both sides gave.
type recorded struct {
	Letter string   `json:"letter"`
	Parts  []string `json:"parts"`
	Answer string   `json:"answer"`
}

// record writes the pairs that are text and read in one way alone, for recorded.py, which needs no Go.
func (c *comparison) record(program, folder string, seed uint64, count int) error {
	d, err := startDriver(program)
	if err != nil {
		return err
	}
	pairs := c.batch(seed, 0, count)
	questions := make([][][]byte, len(pairs))
	for i, p := range pairs {
		questions[i] = p.question
	}
	answers, err := d.ask(c.letter, questions)
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	for i, p := range pairs {
		read := c.compare(p, answers[i])
		isText := utf8.Valid(bytes.Join(p.question, nil)) && utf8.Valid(answers[i])
		if read.ours != read.theirs || len(read.accepted) > 0 || !isText {
			continue
		}
		line := recorded{Letter: string(rune(c.letter)), Answer: string(answers[i])}
		for _, part := range p.question {
			line.Parts = append(line.Parts, string(part))
		}
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		lines.Write(append(text, '\n'))
	}
	if err := d.stop(); err != nil {
		return err
	}
	return writePacked(filepath.Join(folder, strings.ReplaceAll(c.name, " ", "-")+".jsonl.gz"), lines.Bytes())
}

// writePacked writes the same bytes for the same lines: gzip keeps no time.
func writePacked(path string, lines []byte) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	buffered := bufio.NewWriter(file)
	packed, err := gzip.NewWriterLevel(buffered, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := packed.Write(lines); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return buffered.Flush()
}
