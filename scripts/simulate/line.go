package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// spread is a log-normal distribution of times: half of them are longer than Median,
// one of six is longer than Median × exp(Sigma).
type spread struct {
	Median time.Duration
	Sigma  float64
}

func (s spread) draw(dice *rand.Rand) time.Duration {
	return time.Duration(float64(s.Median) * math.Exp(s.Sigma*dice.NormFloat64()))
}

// mean is the mean of the distribution.
func (s spread) mean() time.Duration {
	return time.Duration(float64(s.Median) * math.Exp(s.Sigma*s.Sigma/2))
}

// line is a worker's way to the host. What the worker writes is late by a round trip,
// and nothing passes while it is frozen.
type line struct {
	delay spread
	lags  *lags

	mu     sync.Mutex
	dice   *rand.Rand
	conn   net.Conn
	frozen time.Time // until then
	handed time.Time // when games were written after which no other pair has come; or zero
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
	if l.conn != nil {
		_ = l.conn.Close()
	}
}

// late is for how long to wait before something passes now.
func (l *line) late(delay bool) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := max(time.Until(l.frozen), 0)
	if delay {
		d += l.delay.draw(l.dice)
	}
	return d
}

var (
	gamesWord = []byte("PUB _INBOX")
	pairWord  = []byte(".play ")
)

// note measures the lag of the host: from the moment when games are in its socket until
// the next pair has come out of it.
func (l *line) note(wrote, read []byte) {
	switch {
	case bytes.HasPrefix(wrote, gamesWord) || bytes.Contains(wrote, append([]byte("\n"), gamesWord...)):
		l.mu.Lock()
		defer l.mu.Unlock()
		l.handed = time.Now()
	case bytes.Contains(read, pairWord):
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.handed.IsZero() && l.frozen.Before(l.handed) {
			l.lags.add(time.Since(l.handed))
		}
		l.handed = time.Time{}
	}
}

// lateConn is a connection of a line.
type lateConn struct {
	net.Conn
	line *line
}

func (c *lateConn) Write(b []byte) (int, error) {
	time.Sleep(c.line.late(true))
	c.line.note(b, nil)
	return c.Conn.Write(b)
}

func (c *lateConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.line.note(nil, b[:n])
	time.Sleep(c.line.late(false))
	return n, err
}

// lags counts times by their length: count i is of those up to lagStep^(i+1) × 0.1 ms.
type lags struct {
	mu     sync.Mutex
	counts [lagSteps]int
}

const (
	lagSteps = 80
	lagStep  = 1.2
	lagLeast = 100 * time.Microsecond
)

func (l *lags) add(d time.Duration) {
	i := int(math.Log(float64(d)/float64(lagLeast)) / math.Log(lagStep))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[min(max(i, 0), lagSteps-1)]++
}

// quantile is a time that a share of the counts does not exceed; 0 if there are none.
func quantile(counts []int, share float64) time.Duration {
	all := 0
	for _, n := range counts {
		all += n
	}
	left := int(math.Ceil(share * float64(all)))
	for i, n := range counts {
		if left -= n; left <= 0 && all > 0 {
			return time.Duration(math.Pow(lagStep, float64(i+1)) * float64(lagLeast))
		}
	}
	return 0
}
