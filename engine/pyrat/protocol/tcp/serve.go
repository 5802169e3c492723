package tcp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
)

// Flag is the argument of the built-in engine that makes it an adapter. The bot's command
// follows, and the adapter's own process has none.
const Flag = "--tcp"

// adapterListener is the file by which an adapter's process listens.
const adapterListener = 3

// Serve starts a bot and becomes it, or is the adapter that was started with one.
func Serve(command []string, in io.Reader, out, log io.Writer) error {
	if len(command) > 0 && command[0] == "--" {
		command = command[1:]
	}
	if len(command) > 0 {
		return start(command)
	}
	file := os.NewFile(adapterListener, "listener")
	if file == nil {
		return errors.New("no command of a bot")
	}
	listener, err := net.FileListener(file)
	if err != nil {
		return fmt.Errorf("no command of a bot: %w", err)
	}
	file.Close()
	secret := os.Getenv(agentVariable)
	if secret == "" {
		return fmt.Errorf("no %s", agentVariable)
	}
	return run(in, out, func() (io.ReadWriter, message) {
		return connect(listener.(*net.TCPListener), secret, log)
	})
}
