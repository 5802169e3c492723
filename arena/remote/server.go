package remote

import (
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Server is a NATS server within this process.
type Server struct {
	nats  *server.Server
	guard *Guard // nil: everybody may connect
}

// mostMessage is the most bytes of a message.
const mostMessage = 8 << 20

// Serve starts a server at an address, HOST:PORT; port 0 takes a free one. Only those connect whom
// guard lets in. Without one, everybody who reaches the server may do everything.
func Serve(address string, guard *Guard) (*Server, error) {
	// The server ends the process if its port is taken: so this is found out first.
	probe, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening for workers: %w", err)
	}
	at := probe.Addr().(*net.TCPAddr)
	if err := probe.Close(); err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	options := &server.Options{
		ServerName: "thera", Host: host, Port: at.Port, MaxPayload: mostMessage, NoSigs: true, NoLog: true,
	}
	if guard != nil {
		if err := guard.options(options); err != nil {
			return nil, err
		}
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("server for workers: %w", err)
	}
	e := &Server{nats: s, guard: guard}
	if guard != nil {
		guard.watch(s)
	}
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		e.Close()
		return nil, fmt.Errorf("no server for workers at %s after 30 s", address)
	}
	return e, nil
}

// Address is where workers find the server: HOST:PORT.
func (s *Server) Address() string { return s.nats.Addr().String() }

// Connect is a connection within this process.
func (s *Server) Connect() (*nats.Conn, error) { return nats.Connect("", nats.InProcessServer(s.nats)) }

// Close ends the server.
func (s *Server) Close() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
	if s.guard != nil {
		s.guard.close()
	}
}
