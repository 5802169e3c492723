package protocol

import (
	"cmp"
	"slices"
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

// infoKeys are the kinds of info that the protocol knows.
var infoKeys = []string{"nodes", "depth", "time", "currmove", "currline", "score", "pv", "target", "string"}

// readInfo adds the words after "info" to what the AI has reported: the last of each kind
// counts. Words that fit no kind are ignored. Clients write a target with a space inside.
func readInfo(r *game.SearchInfo, words []string) {
	details, said := game.Details{}, r.Details != nil
	if said {
		details = *r.Details // the record may have the old one
	}
	number := func(text string, set func(n int64)) {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 && n < 1<<53 {
			set(n)
		}
	}
	keep := func(into *string, words []string, between string) { *into, said = kept(words, between), true }
	for i := 0; i < len(words); {
		key := words[i]
		i++
		if key == "string" {
			if text := kept(words[i:], " "); text != "" {
				texts := append(slices.Clone(details.Texts), text)
				details.Texts, said = texts[max(0, len(texts)-keptTexts):], true
			}
			break
		}
		from := i
		for i < len(words) && !slices.Contains(infoKeys, words[i]) {
			i++
		}
		value := words[from:i]
		if len(value) == 0 {
			continue
		}
		switch key {
		case "nodes":
			number(value[0], func(n int64) { r.Nodes = n })
		case "depth":
			number(value[0], func(n int64) { r.Depth = int(n) })
		case "time":
			number(value[0], func(n int64) {
				details.Time, said = time.Duration(min(n, 1<<40))*time.Millisecond, true
			})
		case "score":
			if x, err := strconv.ParseFloat(value[0], 64); err == nil && x > -1e9 && x < 1e9 {
				r.Score, r.Known, details.Score = int(x), true, 0
				if float64(r.Score) != x {
					details.Score, said = x, true
				}
			}
		case "currmove":
			keep(&details.CurrMove, value[:1], "")
		case "currline":
			keep(&details.CurrLine, value, " ")
		case "pv":
			keep(&details.PV, value, " ")
		case "target":
			keep(&details.Target, value, "")
		}
	}
	if said {
		r.Details, r.PV = &details, cmp.Or(details.PV, details.CurrLine)
	}
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
