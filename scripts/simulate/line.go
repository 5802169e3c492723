package main

import (
	"math"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// sigma is that of all times, which are log-normal: one of six is half as long again as the median,
// or longer.
const sigma = 0.4

func draw(median time.Duration, dice *rand.Rand) time.Duration {
	return time.Duration(float64(median) * math.Exp(sigma*dice.NormFloat64()))
}

// mean is the mean of such times.
func mean(median time.Duration) time.Duration {
	return time.Duration(float64(median) * math.Exp(sigma*sigma/2))
}

// line is a worker's way to the host. What the worker writes is late by a round trip,
// and nothing passes while it is frozen.
type line struct {
	delay time.Duration

	mu     sync.Mutex
	dice   *rand.Rand
	conn   net.Conn
	frozen time.Time // until then
}

// Dial implements nats.CustomDialer.
func (l *line) Dial(network, address string) (net.Conn, error) {
	conn, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conn = conn
	return &lateConn{conn, l}, nil
}

// freeze stops what passes, for so long.
func (l *line) freeze(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.frozen = time.Now().Add(d)
}

// cut ends the connection, with all that is on its way.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.conn.Close()
}

// wait waits until something may pass that is late by a delay around this one.
func (l *line) wait(delay time.Duration) {
	l.mu.Lock()
	d := max(time.Until(l.frozen), 0) + draw(delay, l.dice)
	l.mu.Unlock()
	time.Sleep(d)
}

// lateConn is a connection of a line.
type lateConn struct {
	net.Conn
	line *line
}

func (c *lateConn) Write(b []byte) (int, error) {
	c.line.wait(c.line.delay)
	return c.Conn.Write(b)
}

func (c *lateConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.line.wait(0)
	return n, err
}
