package main

import (
	"io"
	"strings"

	"github.com/google/pprof/profile"
)

// parts are where the host's CPU time goes: a sample belongs to the first part of which
// a function is found, from the innermost one outwards.
var parts = []struct{ name, packages string }{
	{"replay", "thera/arena/match. thera/arena/opening. thera/engine/"},
	{"unpacking", "thera/arena/remote.(*unpacker) thera/arena/remote.(*Host).unpack encoding/json. compress/flate."},
	{"storing", "thera/arena/store. modernc.org/ database/sql."},
	{"server", "github.com/nats-io/nats-server/"},
	{"calls", "thera/arena/remote.(*Host).call github.com/nats-io/nats.go"},
	{"schedule", "thera/arena/runner. thera/arena/tournament. thera/arena/remote. main.(*host)"},
	{"memory", "runtime.gcBgMarkWorker runtime.bgsweep runtime.bgscavenge"},
}

const otherPart = "other"

// partOf is the part of a stack, the innermost function first.
func partOf(stack []string) string {
	for _, function := range stack {
		for _, p := range parts {
			for begin := range strings.FieldsSeq(p.packages) {
				if strings.HasPrefix(function, begin) {
					return p.name
				}
			}
		}
	}
	return otherPart
}

// split reads a CPU profile and returns the share of each part.
func split(from io.Reader) (map[string]float64, error) {
	p, err := profile.Parse(from)
	if err != nil {
		return nil, err
	}
	shares, all := map[string]float64{}, 0.0
	for _, s := range p.Sample {
		var stack []string
		for _, l := range s.Location {
			for _, line := range l.Line {
				if line.Function != nil {
					stack = append(stack, line.Function.Name)
				}
			}
		}
		value := float64(s.Value[len(s.Value)-1])
		shares[partOf(stack)] += value
		all += value
	}
	for name := range shares {
		shares[name] /= all
	}
	return shares, nil
}
