package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// confines are the restrictions under which an init starts programs. They are its first message.
type confines struct {
	Policy
	Lacks    lacks
	CPUs     []int
	Tmps     []string // the mount point of the private temporary folder, and what it replaces
	Procs    int      // most processes and threads, 0 = no limit
	Free     bool     // nothing is restricted but the cores
	Measured bool     // its memory is limited, and not by the kernel
	Metered  bool     // its CPU time is counted by a group
}

// has reports whether a step is to be taken.
func (c *confines) has(step string) bool { return !c.Free && c.Lacks.has(step) }

// order is what an init is to start, with the three files of the program, or to try.
type order struct {
	Path []byte
	Argv words
	Env  words
	Dir  []byte
	Try  *trial
}

// answer is what an init says: that a program runs, with a pidfd and a counter; that it ended;
// or what went wrong.
type answer struct {
	Pid    int
	Did    map[string]string // what a trial could do
	Ended  bool
	Clean  bool          // it can start another program, which finds nothing of the last one
	Status int           // for wait
	Used   time.Duration // CPU time
	Errno  int           // 0 if nothing went wrong
	Step   string        // that failed, "" for the start of the program itself
}

// MarshalJSON implements json.Marshaler.
func (w words) MarshalJSON() ([]byte, error) {
	if strings.Contains(strings.Join(w, ""), "\x00") { // it would be two
		return nil, unix.EINVAL
	}
	return json.Marshal([]byte(strings.Join(w, "\x00")))
}

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(text []byte) error {
	var all []byte
	err := json.Unmarshal(text, &all)
	if len(all) > 0 {
		*w = strings.Split(string(all), "\x00")
	}
	return err
}

// A message between the arena and an init is a length of four bytes and that many bytes of
// JSON. Files travel with the length.

// sendMessage sends one. Without files it makes no call that is refused to an
// engine, whose thread may be the one that sends.
func sendMessage(socket *os.File, what any, files ...int) error {
	text, err := json.Marshal(what)
	if err != nil {
		return err
	}
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	if len(files) == 0 {
		text = append(head, text...)
	} else if err := again(func() error {
		return unix.Sendmsg(int(socket.Fd()), head, unix.UnixRights(files...), nil, unix.MSG_NOSIGNAL)
	}); err != nil {
		return err
	}
	_, err = socket.Write(text)
	return err
}

// receiveMessage reads one into what. It returns io.EOF if the other end is closed before it.
func receiveMessage(socket *os.File, what any) (files []int, err error) {
	head, rights := make([]byte, 4), make([]byte, unix.CmsgSpace(4*4))
	n, rn := 0, 0
	err = again(func() error {
		n, rn, _, _, err = unix.Recvmsg(int(socket.Fd()), head, rights, unix.MSG_CMSG_CLOEXEC|unix.MSG_WAITALL)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case n < len(head):
		return nil, io.EOF
	}
	messages, err := unix.ParseSocketControlMessage(rights[:rn])
	for i := range messages {
		fds, wrong := unix.ParseUnixRights(&messages[i])
		files, err = append(files, fds...), errors.Join(err, wrong)
	}
	if err != nil {
		return files, err
	}
	text := make([]byte, binary.LittleEndian.Uint32(head))
	if _, err := io.ReadFull(socket, text); err != nil {
		return files, err
	}
	return files, json.Unmarshal(text, what)
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
