package main

import (
	"math"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// sigma is the standard deviation of the logarithm of all times. One time in six is at least
// one and a half times the median.
const sigma = 0.4

func draw(median time.Duration, dice *rand.Rand) time.Duration {
	return time.Duration(float64(median) * math.Exp(sigma*dice.NormFloat64()))
}

// line is a worker's connection to the host. It delays what the worker writes by a round trip.
// Nothing passes while it is frozen.
type line struct {
	net.Conn
	delay time.Duration

	mu     sync.Mutex
	dice   *rand.Rand
	frozen time.Time // until then
}

// Dial implements nats.CustomDialer.
func (l *line) Dial(network, address string) (net.Conn, error) {
	conn, err := net.Dial(network, address)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Conn = conn
	return l, err
}

// freeze stops all traffic for a time.
func (l *line) freeze(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.frozen = time.Now().Add(d)
}

// wait waits for a random delay around this one, and for the end of a freeze.
func (l *line) wait(delay time.Duration) net.Conn {
	l.mu.Lock()
	d, conn := max(time.Until(l.frozen), 0)+draw(delay, l.dice), l.Conn
	l.mu.Unlock()
	time.Sleep(d)
	return conn
}

func (l *line) Write(b []byte) (int, error) { return l.wait(l.delay).Write(b) }

func (l *line) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	l.wait(0)
	return n, err
}
