package sandbox

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// confines are the restrictions under which an init starts programs. They are its first message.
type confines struct {
	CPUs   []int
	Read   []string
	List   []string
	Write  []string
	Tmp    string   // mount point of the private temporary folder, "" without one
	Tmps   []string // further folders that are replaced by it
	Inet   bool     // IP sockets are allowed
	Procs  int      // most processes and threads, 0 = no limit
	ABI    int      // of Landlock, 0 = not used
	Filter bool     // of system calls
	Spaces bool     // the init has namespaces of its own
	Fresh  bool     // it has a /proc of its own
	Frozen bool     // its mounts are read-only
	Free   bool     // nothing is restricted but the cores

	Measured bool // its memory is limited, and not by the kernel
}

// order is what an init is to start, with the three files of the program; without files, what
// it is to end.
type order struct {
	Path string
	Argv []string
	Env  []string
	Dir  string
	End  int // the number of the program, as the init knows it
}

// answer is what an init says: that a program runs, with a pidfd of it where numbers differ and a
// counter where there is one; that it ended; or what went wrong.
type answer struct {
	Pid    int
	Ended  bool
	Status unix.WaitStatus
	Used   time.Duration // CPU time
	Errno  unix.Errno    // 0 if nothing went wrong
	Step   string        // that failed, "" for the start of the program itself
}

// failure is the answer for a step that failed.
func failure(step string, err error) *answer {
	errno := unix.EINVAL
	_ = errors.As(err, &errno)
	return &answer{Errno: errno, Step: step}
}

func (a *answer) refusal() error {
	if a.Step == "" {
		return a.Errno
	}
	return &StepError{Step: a.Step, Err: a.Errno}
}

// A message between the arena and an init is a length of four bytes and that many bytes, in
// gob: strings are those of a program start and may have any bytes. Files travel with the length.

// maxMessage bounds a message; the kernel bounds what a program start can have.
const maxMessage = 8 << 20

// sendMessage sends one. Without files it makes no call that is refused to an
// engine, whose thread may be the one that sends.
func sendMessage(sock int, what any, files ...int) error {
	var all bytes.Buffer
	all.Write(make([]byte, 4))
	if err := gob.NewEncoder(&all).Encode(what); err != nil {
		return err
	}
	text := all.Bytes()
	binary.LittleEndian.PutUint32(text, uint32(len(text)-4))
	if len(files) > 0 {
		if err := again(func() error { return unix.Sendmsg(sock, text[:4], unix.UnixRights(files...), nil, unix.MSG_NOSIGNAL) }); err != nil {
			return err
		}
		text = text[4:]
	}
	for len(text) > 0 {
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

// receiveMessage reads one into what. It returns io.EOF if the other end is closed before it.
func receiveMessage(sock int, what any) (files []int, err error) {
	var head [4]byte
	rights := make([]byte, unix.CmsgSpace(4*4))
	n, rn := 0, 0
	err = again(func() error {
		n, rn, _, _, err = unix.Recvmsg(sock, head[:], rights, unix.MSG_CMSG_CLOEXEC|unix.MSG_WAITALL)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case n == 0:
		return nil, io.EOF
	case n != len(head):
		return nil, io.ErrUnexpectedEOF
	}
	if rn > 0 {
		messages, err := unix.ParseSocketControlMessage(rights[:rn])
		if err != nil {
			return nil, err
		}
		for i := range messages {
			fds, err := unix.ParseUnixRights(&messages[i])
			if err != nil {
				return nil, err
			}
			files = append(files, fds...)
		}
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size > maxMessage {
		return files, fmt.Errorf("a message of %d bytes", size)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(reader(sock), text); err != nil {
		return files, err
	}
	return files, gob.NewDecoder(bytes.NewReader(text)).Decode(what)
}

// reader reads from a file descriptor that Go's scheduler does not poll.
type reader int

func (r reader) Read(b []byte) (n int, err error) {
	err = again(func() error {
		n, err = unix.Read(int(r), b)
		return err
	})
	if n == 0 && err == nil {
		err = io.ErrUnexpectedEOF
	}
	return max(n, 0), err
}

// again repeats a call that a signal interrupted.
func again(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// StepError is a protection that could not be set up.
type StepError struct {
	Step string
	Err  error
}

func (e *StepError) Error() string { return "sandbox: " + e.Step + ": " + e.Err.Error() }
func (e *StepError) Unwrap() error { return e.Err }
