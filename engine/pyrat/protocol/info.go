package protocol

import (
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
)

// Bounds of what is kept of an AI's infos, so that a flood of them does not
// swell the record.
const (
	keptBytes = 200 // of each text
	keptTexts = 4   // of the infos of kind string, the last
)

// info is what an AI reports while it thinks: all kinds that the protocol knows,
// the last of each. Fields it did not mention are zero.
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
	texts    [keptTexts]string // the last ones, in order
}

// read adds the words after "info". Words that fit no kind are ignored. Clients
// write a target with a space inside.
func (in *info) read(words []string) {
	for i := 0; i < len(words); {
		key := words[i]
		i++
		if key == "string" {
			if text := kept(words[i:], " "); text != "" {
				in.addText(text)
			}
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
			in.currmove = kept(value[:1], "")
		case "currline":
			in.currline = kept(value, " ")
		case "pv":
			in.pv = kept(value, " ")
		case "target":
			in.target = kept(value, "")
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

// kept joins words as far as they are kept.
func kept(words []string, between string) string {
	var b strings.Builder
	for i, word := range words {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(word)
		if b.Len() > keptBytes {
			break
		}
	}
	text := strings.ToValidUTF8(b.String(), "\uFFFD")
	if len(text) <= keptBytes {
		return text
	}
	return strings.ToValidUTF8(text[:keptBytes-len("…")], "") + "…"
}

// addText adds a text of kind string and drops the oldest if there are too many.
func (in *info) addText(text string) {
	for i, have := range in.texts {
		if have == "" {
			in.texts[i] = text
			return
		}
	}
	copy(in.texts[:], in.texts[1:])
	in.texts[keptTexts-1] = text
}

// report is all of it in the record's form.
func (in *info) report() game.SearchInfo {
	r := game.SearchInfo{Depth: in.depth, Nodes: in.nodes, Score: int(in.score), Known: in.scored, PV: in.pv, Details: in.details()}
	if r.PV == "" {
		r.PV = in.currline
	}
	return r
}

// details are the kinds that only this protocol has, nil where none came.
func (in *info) details() *game.Details {
	rest := *in
	rest.nodes, rest.depth, rest.scored = 0, 0, false
	if rest.score == float64(int(rest.score)) {
		rest.score = 0
	}
	if rest == (info{}) {
		return nil
	}
	s := &game.Details{Time: in.time, Score: rest.score, CurrMove: in.currmove, CurrLine: in.currline, PV: in.pv, Target: in.target}
	for _, text := range in.texts {
		if text != "" {
			s.Texts = append(s.Texts, text)
		}
	}
	return s
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
	for _, part := range [][2]string{{"pv", in.pv}, {"target", in.target}, {"string", in.texts[0]}} {
		if part[1] != "" {
			b = append(append(append(append(b, ' '), part[0]...), ' '), part[1]...)
		}
	}
	return string(b)
}
