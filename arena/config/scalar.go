package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"thera/engine/game"
)

// scalarText is a type written as one scalar in a form of its own.
type scalarText interface {
	parse(text string) error
	expected() string // completes "expected …"
}

// clock is "60s+0.6s".
type clock struct{ Main, Increment time.Duration }

func (c *clock) parse(text string) error {
	main, inc, plus := strings.Cut(text, "+")
	var err error
	if c.Main, err = parseDuration(strings.TrimSpace(main)); err != nil {
		return err
	}
	if plus {
		if c.Increment, err = parseDuration(strings.TrimSpace(inc)); err != nil {
			return err
		}
	}
	return nil
}

func (c *clock) expected() string { return "time a game, with an increment after +, as 60s+0.6s" }

func (c clock) String() string {
	if c.Increment == 0 {
		return c.Main.String()
	}
	return c.Main.String() + "+" + c.Increment.String()
}

// parseDuration is time.ParseDuration without negative values.
func parseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		if _, number := strconv.ParseFloat(text, 64); number == nil {
			return 0, fmt.Errorf("%q has no unit", text)
		}
		return 0, fmt.Errorf("%q is not a duration", text)
	}
	if d < 0 {
		return 0, fmt.Errorf("%q is negative", text)
	}
	return d, nil
}

// size is bytes: "2GiB", "512MB" or a plain number.
type size int64

func (s *size) parse(text string) error {
	number := strings.TrimRight(text, "kKMGTiB ")
	unit := strings.TrimSpace(text[len(number):])
	factor, known := map[string]float64{
		"": 1, "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
		"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	}[unit]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !known {
		return fmt.Errorf("%q is not a size", text)
	}
	if n < 0 || math.IsNaN(n) || n*factor >= math.MaxInt64 {
		return fmt.Errorf("%q is out of range", text)
	}
	*s = size(n * factor)
	return nil
}

func (s *size) expected() string { return "a size such as 512MiB or 2GiB" }

// percent is a fraction: "5%" or 0.05.
type percent float64

func (p *percent) parse(text string) error {
	number, hundred := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Errorf("%q is not a fraction", text)
	}
	if hundred {
		f /= 100
	}
	if f < 0 || f > 1 {
		return fmt.Errorf("%q is not between 0 and 1", text)
	}
	*p = percent(f)
	return nil
}

func (p *percent) expected() string { return "a fraction such as 5% or 0.05" }

// count is a number from 1, or auto.
type count struct {
	N    int
	Auto bool
}

func (c *count) parse(text string) error {
	if text == "auto" {
		*c = count{Auto: true}
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("%q is not a whole number", text)
	}
	if n < 1 || n > 4096 {
		return fmt.Errorf("%d is out of range", n)
	}
	*c = count{N: n}
	return nil
}

func (c *count) expected() string { return "a whole number from 1 to 4096, or auto" }

// nodeType is a type that reads more than a scalar by itself.
type nodeType interface {
	read(d *decoder, node *yaml.Node, path string)
}

// raw keeps a part of the file for the game's own structs.
type raw struct{ Node *yaml.Node }

func (r *raw) read(_ *decoder, node *yaml.Node, _ string) { r.Node = node }

// command is a list of words, or one text that is split as a shell would.
type command []string

func (c *command) read(d *decoder, node *yaml.Node, path string) {
	switch {
	case node.Kind == yaml.ScalarNode && node.Tag == "!!str":
		words, err := SplitWords(node.Value)
		if err != nil {
			d.fault(node, path, err.Error())
			return
		}
		*c = words
	case node.Kind == yaml.SequenceNode:
		for i, item := range node.Content {
			text, ok := scalarOf(item)
			if !ok {
				d.fault(item, fmt.Sprintf("%s[%d]", path, i), wrongType(item, "a word"))
				continue
			}
			*c = append(*c, text)
		}
	default:
		d.fault(node, path, wrongType(node, "a list of words, program first"))
	}
}

// optionList is a mapping of scalars whose order is kept.
type optionList []game.Option

func (l *optionList) read(d *decoder, node *yaml.Node, path string) {
	d.eachKey(node, path, "a mapping of option names to values", func(key, value *yaml.Node, path string) {
		text, ok := scalarOf(value)
		if !ok {
			d.fault(value, path, wrongType(value, "one value"))
			return
		}
		if d.emptied[value] {
			return
		}
		*l = append(*l, game.Option{Name: key.Value, Value: text})
	})
}

// scalarOf is the text of any scalar; that of null is empty.
func scalarOf(node *yaml.Node) (string, bool) {
	if node.Kind != yaml.ScalarNode {
		return "", false
	}
	if node.Tag == "!!null" {
		return "", true
	}
	return node.Value, true
}

// SplitWords splits a command line at blanks, minding quotes and
// backslashes as a POSIX shell does. Nothing is expanded.
func SplitWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, inWord := rune(0), false
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case r == '\\' && open != '\'' && i+1 < len(runes) && (open == 0 || runes[i+1] == '"' || runes[i+1] == '\\'):
			i++
			word.WriteRune(runes[i])
			inWord = true
		case open != 0 && r == open:
			open = 0
		case open != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			open, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if open != 0 {
		return nil, fmt.Errorf("quote %c is never closed in %q", open, text)
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("the command is empty")
	}
	return words, nil
}
