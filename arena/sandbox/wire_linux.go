package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sys/unix"
)

// A message between the arena and an init is a length of four bytes and that
// many bytes. Files travel with the length.

// maxMessage bounds a message; the kernel bounds what a program start can have.
const maxMessage = 8 << 20

// sendMessage sends one. Without files it makes no call that is refused to an
// engine, whose thread may be the one that sends.
func sendMessage(sock int, text []byte, files ...int) error {
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	if len(files) > 0 {
		if err := again(func() error { return unix.Sendmsg(sock, head, unix.UnixRights(files...), nil, unix.MSG_NOSIGNAL) }); err != nil {
			return err
		}
		head = nil
	}
	for text = append(head, text...); len(text) > 0; {
		n := 0
		err := again(func() (err error) {
			n, err = unix.Write(sock, text)
			return err
		})
		if err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

// receiveMessage returns io.EOF if the other end is closed before a message.
func receiveMessage(sock int) (text []byte, files []int, err error) {
	var head [4]byte
	rights := make([]byte, unix.CmsgSpace(4*4))
	n, rn := 0, 0
	err = again(func() error {
		n, rn, _, _, err = unix.Recvmsg(sock, head[:], rights, unix.MSG_CMSG_CLOEXEC|unix.MSG_WAITALL)
		return err
	})
	switch {
	case err != nil:
		return nil, nil, err
	case n == 0:
		return nil, nil, io.EOF
	case n != len(head):
		return nil, nil, io.ErrUnexpectedEOF
	}
	if rn > 0 {
		messages, err := unix.ParseSocketControlMessage(rights[:rn])
		if err != nil {
			return nil, nil, err
		}
		for i := range messages {
			fds, err := unix.ParseUnixRights(&messages[i])
			if err != nil {
				return nil, nil, err
			}
			files = append(files, fds...)
		}
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size > maxMessage {
		return nil, files, fmt.Errorf("a message of %d bytes", size)
	}
	text = make([]byte, size)
	for got := 0; got < len(text); got += n {
		err := again(func() (err error) {
			n, err = unix.Read(sock, text[got:])
			return err
		})
		if err != nil {
			return nil, files, err
		}
		if n == 0 {
			return nil, files, io.ErrUnexpectedEOF
		}
	}
	return text, files, nil
}

// again repeats a call that a signal interrupted.
func again(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// An init's answers begin with one of these.
const (
	answerStarted = 'S' // number of the engine; a pidfd of it where numbers differ, and a counter where there is one
	answerRefused = 'X' // errno, and the step that failed, "" for the start of the program itself
	answerEnded   = 'W' // wait status, CPU time in nanoseconds
)

func refusal(step string, err error) []byte {
	var errno unix.Errno
	if !errors.As(err, &errno) {
		errno = unix.EINVAL
	}
	p := pack{answerRefused}
	p.num(int(errno))
	p.text(step)
	return p
}

// StepError is a protection that could not be set up.
type StepError struct {
	Step string
	Err  error
}

func (e *StepError) Error() string { return "sandbox: " + e.Step + ": " + e.Err.Error() }
func (e *StepError) Unwrap() error { return e.Err }

func readRefusal(text []byte) error {
	u := unpack{rest: text[1:]}
	errno, step := unix.Errno(u.num()), u.text()
	if step == "" {
		return errno
	}
	return &StepError{Step: step, Err: errno}
}
