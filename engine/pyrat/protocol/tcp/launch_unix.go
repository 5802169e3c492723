//go:build unix

package tcp

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// start starts an adapter, which has this process's stdin and stdout, and becomes the bot: how
// that ends, and what it uses, is the bot's own. What the bot prints goes to stderr.
func start(command []string) error {
	path := command[0]
	if !strings.ContainsRune(path, '/') {
		var err error
		if path, err = exec.LookPath(path); err != nil {
			return err
		}
	}
	listener, err := listen()
	if err != nil {
		return fmt.Errorf("listening for the bot: %w (a sandbox without network namespaces needs network: true)", err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	file, err := listener.File()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	secret := agentVariable + "=" + rand.Text()
	adapter := exec.Command(self, "engine", "pyrat", Flag)
	adapter.Stdin, adapter.Stdout, adapter.Stderr = os.Stdin, os.Stdout, os.Stderr
	adapter.ExtraFiles, adapter.Env = []*os.File{file}, append(os.Environ(), secret)
	if err := adapter.Start(); err != nil {
		return fmt.Errorf("starting the adapter: %w", err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	for fd, from := range []int{int(null.Fd()), 2} {
		if err := unix.Dup2(from, fd); err != nil {
			return err
		}
	}
	environment := append(os.Environ(), portVariable+"="+strconv.Itoa(port), secret)
	return fmt.Errorf("starting %s: %w", path, syscall.Exec(path, command, environment))
}
