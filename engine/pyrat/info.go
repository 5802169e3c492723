package pyrat

import (
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
)

// info is what an AI says while it thinks, all kinds that the protocol knows.
// Fields it did not mention are zero.
type info struct {
	nodes    int64
	depth    int
	time     time.Duration
	currmove string
	currline string
	score    float64
	scored   bool
	pv       string
	target   string
	text     string
}

// readInfo adds what the words after "info" say. Words that fit no kind are
// passed over; clients write a target with a space inside.
func (in *info) read(words []string) {
	for i := 0; i < len(words); {
		key := words[i]
		i++
		if key == "string" {
			in.text = strings.Join(words[i:], " ")
			return
		}
		from := i
		for i < len(words) && !infoKey(words[i]) {
			i++
		}
		value := words[from:i]
		if len(value) == 0 {
			continue
		}
		switch key {
		case "nodes":
			if n, err := strconv.ParseInt(value[0], 10, 64); err == nil && n >= 0 {
				in.nodes = n
			}
		case "depth":
			if n, err := strconv.Atoi(value[0]); err == nil && n >= 0 {
				in.depth = n
			}
		case "time":
			if n, err := strconv.Atoi(value[0]); err == nil && n >= 0 {
				in.time = time.Duration(n) * time.Millisecond
			}
		case "score":
			if x, err := strconv.ParseFloat(value[0], 64); err == nil && x > -1e9 && x < 1e9 {
				in.score, in.scored = x, true
			}
		case "currmove":
			in.currmove = value[0]
		case "currline":
			in.currline = strings.Join(value, " ")
		case "pv":
			in.pv = strings.Join(value, " ")
		case "target":
			in.target = strings.Join(value, "")
		}
	}
}

func infoKey(word string) bool {
	switch word {
	case "nodes", "depth", "time", "currmove", "currline", "score", "pv", "target", "string":
		return true
	}
	return false
}

// report is the part that every game's record keeps.
func (in *info) report() game.Report {
	r := game.Report{Depth: in.depth, Nodes: in.nodes, Score: int(in.score), Known: in.scored, PV: in.pv}
	if r.PV == "" {
		r.PV = in.currline
	}
	return r
}

// line is the info as the protocol writes it.
func (in *info) line() string {
	b := []byte("info nodes ")
	b = strconv.AppendInt(b, in.nodes, 10)
	b = strconv.AppendInt(append(b, " depth "...), int64(in.depth), 10)
	b = strconv.AppendInt(append(b, " time "...), in.time.Milliseconds(), 10)
	for _, part := range [][2]string{{"currmove", in.currmove}, {"currline", in.currline}} {
		if part[1] != "" {
			b = append(append(append(append(b, ' '), part[0]...), ' '), part[1]...)
		}
	}
	if in.scored {
		b = strconv.AppendFloat(append(b, " score "...), in.score, 'f', 0, 64)
	}
	for _, part := range [][2]string{{"pv", in.pv}, {"target", in.target}, {"string", in.text}} {
		if part[1] != "" {
			b = append(append(append(append(b, ' '), part[0]...), ' '), part[1]...)
		}
	}
	return string(b)
}
