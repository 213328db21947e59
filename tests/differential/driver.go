package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
)

// driver is a running program that answers for applyguard.
type driver struct {
	command *exec.Cmd
	in      *bufio.Writer
	out     *bufio.Reader
	close   func() error
}

func startDriver(program string) (*driver, error) {
	command := exec.Command(program)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &driver{command, bufio.NewWriterSize(in, 1<<16), bufio.NewReaderSize(out, 1<<16), in.Close}, nil
}

func (d *driver) stop() error {
	if err := d.close(); err != nil {
		return err
	}
	return d.command.Wait()
}

func (d *driver) write(letter byte, parts [][]byte) {
	d.in.WriteByte(letter)
	d.in.WriteByte(byte(len(parts)))
	for _, part := range parts {
		var length [4]byte
		binary.LittleEndian.PutUint32(length[:], uint32(len(part)))
		d.in.Write(length[:])
		d.in.Write(part)
	}
}

func (d *driver) read() ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(d.out, length[:]); err != nil {
		return nil, fmt.Errorf("the driver ended: %w", err)
	}
	answer := make([]byte, binary.LittleEndian.Uint32(length[:]))
	_, err := io.ReadFull(d.out, answer)
	return answer, err
}

// ask puts all questions at once, so that neither side waits for each of them.
func (d *driver) ask(letter byte, questions [][][]byte) ([][]byte, error) {
	written := make(chan error, 1)
	go func() {
		for _, parts := range questions {
			d.write(letter, parts)
		}
		d.in.WriteByte(0)
		written <- d.in.Flush()
	}()
	answers := make([][]byte, len(questions))
	for i := range questions {
		var err error
		if answers[i], err = d.read(); err != nil {
			return answers[:i], err
		}
	}
	return answers, <-written
}

// fieldsOf splits an answer that is a list of fields.
func fieldsOf(answer []byte) []string {
	var fields []string
	for len(answer) > 0 {
		length, rest, _ := bytes.Cut(answer, []byte(":"))
		count, err := strconv.Atoi(string(length))
		if err != nil || count > len(rest) {
			panic(fmt.Sprintf("the driver's answer %q is no list of fields", answer))
		}
		fields = append(fields, string(rest[:count]))
		answer = rest[count:]
	}
	return fields
}
