package remote

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
)

const mostUnpacked = 64 << 20

// Pack compresses the games of a lease, in the form in which a worker hands them in.
func Pack(games []*arena.Record) ([]byte, error) {
	text := binary.AppendUvarint(nil, uint64(len(games)))
	var err error
	for _, rec := range games {
		if text, err = appendGame(text, rec); err != nil {
			return nil, fmt.Errorf("game %s: %w", rec.ID, err)
		}
	}
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// packers and unpackers are used again: they have windows of 32 KiB and more.
var (
	packers = sync.Pool{New: func() any {
		w, err := flate.NewWriter(nil, flate.BestSpeed)
		if err != nil {
			panic(err) // there is no such level
		}
		return w
	}}
	unpackers = sync.Pool{New: func() any { return &unpacker{flate: flate.NewReader(nil)} }}
)

// unpacker reads one lease's games at a time.
type unpacker struct {
	flate io.ReadCloser
	text  bytes.Buffer
}

// unpack reads what Pack wrote, or anything else.
func unpack(data []byte) ([]*arena.Record, error) {
	u := unpackers.Get().(*unpacker)
	games, err := u.games(data)
	if u.text.Cap() <= 1<<20 {
		unpackers.Put(u)
	}
	return games, err
}

func (u *unpacker) games(data []byte) ([]*arena.Record, error) {
	if err := u.flate.(flate.Resetter).Reset(bytes.NewReader(data), nil); err != nil {
		return nil, err
	}
	u.text.Reset()
	_, err := u.text.ReadFrom(io.LimitReader(u.flate, mostUnpacked+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("games that cannot be read: %w", err)
	case u.text.Len() > mostUnpacked:
		return nil, fmt.Errorf("games of over %d MiB", mostUnpacked>>20)
	}
	r := reader{from: u.text.Bytes()}
	n := r.uvarint()
	if n == 0 || n > 2 {
		return nil, fmt.Errorf("%d games, expected those of a pair", n)
	}
	var games []*arena.Record
	for range n {
		rec, err := r.game()
		if err != nil {
			return nil, fmt.Errorf("games that cannot be read: %w", err)
		}
		games = append(games, rec)
	}
	if r.left() > 0 {
		return nil, fmt.Errorf("games that cannot be read: %d bytes follow them", r.left())
	}
	return games, nil
}

// The headers of a message with games: of which lease, and which part of them.
const (
	headerLease = "Thera-Lease"

	headerID   = "Thera-Id"
	headerPart = "Thera-Part" // from 1
	headerOf   = "Thera-Of"
)

// cut divides data into messages of at most so many bytes.
func cut(subject, id string, data []byte, most int) []*nats.Msg {
	parts := max((len(data)+most-1)/most, 1)
	var out []*nats.Msg
	for i := range parts {
		msg := nats.NewMsg(subject)
		msg.Data = data[i*most : min((i+1)*most, len(data))]
		if parts > 1 {
			msg.Header.Set(headerID, id)
			msg.Header.Set(headerPart, strconv.Itoa(i+1))
			msg.Header.Set(headerOf, strconv.Itoa(parts))
		}
		out = append(out, msg)
	}
	return out
}

const (
	mostParts   = 64              // of one lease's games
	mostHalves  = 256             // leases of which some parts have come
	mostKept    = 256 << 20       // bytes of these parts
	partsExpire = 2 * time.Minute // after the first part
)

// joiner joins parts. A worker has one lease's parts of one id at a time.
type joiner struct {
	mu     sync.Mutex
	halves map[string]*half
	kept   int // bytes
}

type half struct {
	since time.Time
	parts [][]byte
	left  int
}

// errMoreParts means that the part has come and others are missing.
var errMoreParts = errors.New("more parts are to come")

// join returns the whole of which msg of this sender is a part, or errMoreParts.
func (j *joiner) join(sender string, msg *nats.Msg) ([]byte, error) {
	id := msg.Header.Get(headerID)
	if id == "" {
		return msg.Data, nil
	}
	of, err := strconv.Atoi(msg.Header.Get(headerOf))
	part, err2 := strconv.Atoi(msg.Header.Get(headerPart))
	if err != nil || err2 != nil || of < 2 || of > mostParts || part < 1 || part > of {
		return nil, fmt.Errorf("part %.10q of %.10q, expected up to %d parts", msg.Header.Get(headerPart), msg.Header.Get(headerOf), mostParts)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for key, h := range j.halves {
		if time.Since(h.since) > partsExpire {
			j.drop(key)
		}
	}
	key := sender + " " + id
	h := j.halves[key]
	if h == nil || len(h.parts) != of {
		if len(j.halves) >= mostHalves || j.of(sender) >= mostHalves/4 {
			return nil, errors.New("too many games are half sent")
		}
		j.drop(key)
		h = &half{since: time.Now(), parts: make([][]byte, of), left: of}
		j.halves[key] = h
	}
	if h.parts[part-1] == nil {
		if j.kept+len(msg.Data) > mostKept {
			return nil, errors.New("too many games are half sent")
		}
		h.parts[part-1] = msg.Data
		h.left--
		j.kept += len(msg.Data)
	}
	if h.left > 0 {
		return nil, errMoreParts
	}
	j.drop(key)
	return bytes.Join(h.parts, nil), nil
}

// of counts the leases of a sender of which some parts have come. The lock is held.
func (j *joiner) of(sender string) int {
	n := 0
	for key := range j.halves {
		if strings.HasPrefix(key, sender+" ") {
			n++
		}
	}
	return n
}

// drop forgets the parts of a lease's games. The lock is held.
func (j *joiner) drop(key string) {
	if h := j.halves[key]; h != nil {
		for _, part := range h.parts {
			j.kept -= len(part)
		}
		delete(j.halves, key)
	}
}
