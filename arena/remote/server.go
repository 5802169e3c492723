package remote

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Server is a NATS server within this process.
type Server struct {
	nats *server.Server
	end  context.CancelFunc
	all  sync.WaitGroup
}

// mostMessage is the most bytes of a message.
const mostMessage = 8 << 20

// Serve starts a server at an address, HOST:PORT; port 0 takes a free one. Only those connect whom
// guard lets in. Without one, everybody who reaches the server may do everything.
func Serve(address string, guard *Guard) (*Server, error) {
	// The server does not say why it cannot listen: so this is found out first.
	probe, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening for workers: %w", err)
	}
	at := probe.Addr().(*net.TCPAddr)
	host, _, _ := net.SplitHostPort(address)
	options := &server.Options{
		ServerName: "thera", Host: host, Port: at.Port, MaxPayload: mostMessage, NoSigs: true, NoLog: true,
	}
	if err := probe.Close(); err != nil {
		return nil, err
	}
	if guard != nil {
		if err := guard.options(options); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	e := &Server{end: cancel}
	if e.nats, err = server.NewServer(options); err != nil {
		return nil, fmt.Errorf("server for workers: %w", err)
	}
	e.nats.Start()
	if guard != nil {
		e.all.Go(func() {
			for tick := time.Tick(guard.look); ; {
				select {
				case <-tick:
					guard.inspect(e.nats)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	if !e.nats.ReadyForConnections(30 * time.Second) {
		e.Close()
		return nil, fmt.Errorf("no server for workers at %s after 30 s", address)
	}
	return e, nil
}

// Address is where workers find the server: HOST:PORT.
func (s *Server) Address() string { return s.nats.Addr().String() }

// Connect is a connection within this process.
func (s *Server) Connect(options ...nats.Option) (*nats.Conn, error) {
	return nats.Connect("", append(options, nats.InProcessServer(s.nats))...)
}

// Close ends the server.
func (s *Server) Close() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
	s.end()
	s.all.Wait()
}
