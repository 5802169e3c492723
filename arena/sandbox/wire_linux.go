package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
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
	Status int           // for wait
	Used   time.Duration // CPU time
	Errno  int           // 0 if nothing went wrong
	Step   string        // that failed, "" for the start of the program itself
}

// failure is the answer for a step that failed.
func failure(step string, err error) *answer {
	errno := unix.EINVAL
	_ = errors.As(err, &errno)
	return &answer{Errno: int(errno), Step: step}
}

func (a *answer) refusal() error {
	if a.Step == "" {
		return unix.Errno(a.Errno)
	}
	return &StepError{Step: a.Step, Err: unix.Errno(a.Errno)}
}

// A message between the arena and an init is a length of four bytes and that many bytes:
// the fields of a struct one after the other. Files travel with the length.

// maxMessage bounds a message; the kernel bounds what a program start can have.
const maxMessage = 8 << 20

// sendMessage sends one. Without files it makes no call that is refused to an
// engine, whose thread may be the one that sends.
func sendMessage(sock int, what any, files ...int) error {
	text := pack(make([]byte, 4), reflect.ValueOf(what).Elem())
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
	_, err = unpack(text, reflect.ValueOf(what).Elem())
	return files, err
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

// pack appends a value. Strings are those of a program start and may have any bytes. The
// library's gob is a hundred microseconds slower, at each start of an engine.
func pack(text []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			text = pack(text, v.Field(i))
		}
	case reflect.Slice:
		text = binary.AppendUvarint(text, uint64(v.Len()))
		for i := range v.Len() {
			text = pack(text, v.Index(i))
		}
	case reflect.String:
		text = append(binary.AppendUvarint(text, uint64(v.Len())), v.String()...)
	case reflect.Bool:
		n := uint64(0)
		if v.Bool() {
			n = 1
		}
		text = binary.AppendUvarint(text, n)
	default:
		text = binary.AppendUvarint(text, uint64(v.Int()))
	}
	return text
}

// unpack reads what pack wrote, and returns what comes after it.
func unpack(text []byte, v reflect.Value) (rest []byte, err error) {
	if v.Kind() == reflect.Struct {
		for i := 0; i < v.NumField() && err == nil; i++ {
			text, err = unpack(text, v.Field(i))
		}
		return text, err
	}
	n, size := binary.Uvarint(text)
	if size <= 0 {
		return nil, io.ErrUnexpectedEOF
	}
	text = text[size:]
	switch v.Kind() {
	case reflect.Slice:
		for ; n > 0 && err == nil; n-- {
			next := reflect.New(v.Type().Elem()).Elem()
			text, err = unpack(text, next)
			v.Set(reflect.Append(v, next))
		}
		return text, err
	case reflect.String:
		if n > uint64(len(text)) {
			return nil, io.ErrUnexpectedEOF
		}
		v.SetString(string(text[:n]))
		return text[n:], nil
	case reflect.Bool:
		v.SetBool(n != 0)
	default:
		v.SetInt(int64(n))
	}
	return text, nil
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
