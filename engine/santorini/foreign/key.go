package foreign

import (
	"slices"
	"strconv"
	"strings"

	"thera/engine/santorini/rules"
)

// Key is a text that is equal for positions that differ only in how they are written:
// squares by name or by index, also in brackets and tokens, and the order of a list in
// which every entry is a square. Other entries keep their order, since a list of counts
// says something by it. A position must not be replaced by its key: [C5] and [2] share
// one, and only a list of next states shows that nothing else tells two states apart.
func (p *Position) Key() string {
	out := make([]byte, 0, 96)
	for _, h := range p.Heights {
		out = append(out, '0'+h)
	}
	out = append(out, '/', '1'+p.Mover, '/', '0'+p.Winner)
	for i := range p.Sides {
		out = append(p.Sides[i].key(append(out, '/')), '/')
	}
	return string(out)
}

// key appends the key of the god, its state and the words after the colon.
func (s *Side) key(out []byte) []byte {
	out = appendKey(append(out, s.Name...), s.Head[len(s.Name):])
	if s.placed {
		out = append(out, ':')
	}
	return append(out, strings.Join(s.wordKeys(), ",")...)
}

// wordKeys are the keys of workers and tokens, sorted.
func (s *Side) wordKeys() []string {
	keys := make([]string, len(s.words))
	for i, word := range s.words {
		keys[i] = string(appendKey(nil, word))
	}
	slices.Sort(keys)
	return keys
}

// appendKey appends text with indices for squares and lists of squares in order.
func appendKey(out []byte, text string) []byte {
	for text != "" {
		end := strings.IndexAny(text, "[](){}<>|;:/#")
		if end < 0 {
			end = len(text)
		}
		out = appendList(out, text[:end])
		if end < len(text) {
			out = append(out, text[end])
			end++
		}
		text = text[end:]
	}
	return out
}

// appendList appends entries between commas.
func appendList(out []byte, text string) []byte {
	entries := strings.Split(text, ",")
	squares := make([]int, len(entries))
	for i, entry := range entries {
		squares[i] = rules.ParseSquare(entry)
	}
	if !slices.Contains(squares, rules.NoSquare) {
		slices.Sort(squares)
		for i, at := range squares {
			entries[i] = strconv.Itoa(at)
		}
		return append(out, strings.Join(entries, ",")...)
	}
	for i, entry := range entries {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendEntry(out, entry)
	}
	return out
}

// appendEntry appends one entry, as C3, @C3 or flag=C3.
func appendEntry(out []byte, entry string) []byte {
	for entry != "" {
		end := strings.IndexFunc(entry, func(r rune) bool { return !isWord(r) })
		switch end {
		case -1:
			end = len(entry)
		case 0:
			end = 1
		}
		if at := rules.ParseSquare(entry[:end]); at != rules.NoSquare {
			out = strconv.AppendInt(out, int64(at), 10)
		} else {
			out = append(out, entry[:end]...)
		}
		entry = entry[end:]
	}
	return out
}

func isWord(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '_'
}

// Keys are the keys of two lists of positions, in their order. Where two positions of one
// list have the same key, what the key leaves out means something to the engine that
// wrote it: then the texts themselves are the keys, as they are if one cannot be read.
func Keys(a, b []string) (keysA, keysB []string) {
	keysA, keysB = keysOf(a), keysOf(b)
	if keysA == nil || keysB == nil {
		return a, b
	}
	return keysA, keysB
}

// keysOf are the keys of a list, nil unless they are distinct.
func keysOf(list []string) []string {
	keys, seen := make([]string, len(list)), make(map[string]bool, len(list))
	for i, text := range list {
		p, err := Parse(text)
		if err != nil {
			return nil
		}
		keys[i] = p.Key()
		if seen[keys[i]] {
			return nil
		}
		seen[keys[i]] = true
	}
	return keys
}
