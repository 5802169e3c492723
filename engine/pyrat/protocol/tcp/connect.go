package tcp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"
)

// The variables by which a bot finds its host.
const (
	portVariable  = "PYRAT_HOST_PORT"
	agentVariable = "PYRAT_AGENT_ID"
)

// helloLimit bounds the time from a connection to its first message.
const helloLimit = 10 * time.Second

// listen opens a port on the loopback address.
func listen() (*net.TCPListener, error) {
	return net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
}

// conn is a bot's connection. Reads go through a buffer.
type conn struct {
	net.Conn
	in *bufio.Reader
}

func (c *conn) Read(p []byte) (int, error) { return c.in.Read(p) }

// connect waits for the bot: for the connection that says the secret first. Others can come
// from anywhere on the machine where engines share a loopback, and are dropped.
func connect(listener *net.TCPListener, secret string, log io.Writer) (bot *conn, hello message) {
	type candidate struct {
		*conn
		hello message
	}
	right, done := make(chan candidate), make(chan struct{})
	go func() {
		for {
			c, err := listener.AcceptTCP()
			if err != nil {
				return
			}
			go func() {
				from := &conn{Conn: c, in: bufio.NewReader(c)}
				hello, err := greet(from, secret)
				if err == nil {
					select {
					case right <- candidate{from, hello}:
						return
					case <-done:
						err = errors.New("the bot is connected already")
					}
				}
				fmt.Fprintf(log, "thera: dropped a connection from %s: %v\n", c.RemoteAddr(), err)
				c.Close()
			}()
		}
	}()
	found := <-right
	close(done)
	listener.Close()
	return found.conn, found.hello
}

// greet reads the first message of a connection, which must have the secret.
func greet(c *conn, secret string) (message, error) {
	if uid, known := owner(c.RemoteAddr().String(), c.LocalAddr().String()); known && uid != os.Getuid() {
		return message{}, fmt.Errorf("it belongs to user %d", uid)
	}
	_ = c.SetReadDeadline(time.Now().Add(helloLimit))
	payload, err := readFrame(c)
	if err != nil {
		return message{}, err
	}
	hello, err := decode(payload)
	switch {
	case err != nil:
		return message{}, err
	case hello.kind != identify:
		return message{}, errors.New("its first message is no Identify")
	case hello.agent != secret:
		return message{}, fmt.Errorf("it has not the agent id of %s", agentVariable)
	}
	return hello, c.SetReadDeadline(time.Time{})
}

// owner is the user whose socket is connected from an address to another one of IPv4, where the
// system says it.
func owner(from, to string) (uid int, known bool) {
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(table)) {
		if words := strings.Fields(line); len(words) > 7 && words[1] == inTable(from) && words[2] == inTable(to) {
			uid, err = strconv.Atoi(words[7])
			return uid, err == nil
		}
	}
	return 0, false
}

// inTable is an address as the kernel's table has it.
func inTable(address string) string {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().Is4() {
		return ""
	}
	ip := at.Addr().As4()
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(ip[:]), at.Port())
}
