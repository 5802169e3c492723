package protocol

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"thera/engine/game"
)

// OptionKind is the type of an option, in UCI's words.
type OptionKind string

// The kinds of options. A protocol whose options have no types leaves Kind
// empty; then any value is right.
const (
	Check  OptionKind = "check"
	Spin   OptionKind = "spin"
	Combo  OptionKind = "combo"
	Text   OptionKind = "string"
	Button OptionKind = "button"
)

// ListedOption is an option that an engine lists.
type ListedOption struct {
	Name    string
	Kind    OptionKind
	Default string
	Bounded bool // a Spin has Min and Max
	Min     int64
	Max     int64
	Choices []string // of a Combo
}

// ParseOption reads UCI's "option name N type T default V min A max B var C …".
// Names and values may hold blanks. The error names what is missing.
func ParseOption(line string) (ListedOption, error) {
	var o ListedOption
	fields := map[string][]string{}
	key := ""
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "option" {
		return o, errors.New(`want "option name …"`)
	}
	for _, w := range words[1:] {
		switch w {
		case "name", "type", "default", "min", "max":
			if _, twice := fields[w]; !twice {
				key = w
				fields[key] = []string{}
				continue
			}
		case "var":
			key = w
			o.Choices = append(o.Choices, "")
			continue
		}
		if key == "var" {
			last := &o.Choices[len(o.Choices)-1]
			*last = strings.TrimSpace(*last + " " + w)
			continue
		}
		fields[key] = append(fields[key], w)
	}
	text := func(key string) string { return strings.Join(fields[key], " ") }
	o.Name, o.Kind, o.Default = text("name"), OptionKind(text("type")), text("default")
	if o.Name == "" {
		return o, errors.New("no name")
	}
	switch o.Kind {
	case Check, Text, Button:
	case Spin:
		if fields["min"] == nil && fields["max"] == nil {
			break
		}
		var errMin, errMax error
		o.Min, errMin = strconv.ParseInt(text("min"), 10, 64)
		o.Max, errMax = strconv.ParseInt(text("max"), 10, 64)
		if errMin != nil || errMax != nil || o.Min > o.Max {
			return o, fmt.Errorf("no range from %q to %q", text("min"), text("max"))
		}
		o.Bounded = true
	case Combo:
		if len(o.Choices) == 0 {
			return o, errors.New("a combo without a var")
		}
	default:
		return o, fmt.Errorf("type %q: want check, spin, combo, string or button", o.Kind)
	}
	return o, nil
}

// String is the line that ParseOption reads.
func (o *ListedOption) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "option name %s type %s", o.Name, o.Kind)
	if o.Kind != Button {
		b.WriteString(" default " + o.Default)
	}
	if o.Bounded {
		fmt.Fprintf(&b, " min %d max %d", o.Min, o.Max)
	}
	for _, choice := range o.Choices {
		b.WriteString(" var " + choice)
	}
	return b.String()
}

// Check returns what is wrong with value, or nil.
func (o *ListedOption) Check(value string) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("option %s: %q: %s", o.Name, value, fmt.Sprintf(format, args...))
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return wrong("contains a control character")
	}
	switch o.Kind {
	case Spin:
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case o.Bounded && (err != nil || n < o.Min || n > o.Max):
			return wrong("want a whole number from %d to %d", o.Min, o.Max)
		case err != nil:
			return wrong("want a whole number")
		}
	case Check:
		if value != "true" && value != "false" {
			return wrong("want true or false")
		}
	case Combo:
		if !slices.Contains(o.Choices, value) {
			return wrong("want one of %s", strings.Join(o.Choices, ", "))
		}
	case Button:
		if value != "" && value != "true" {
			return wrong("a button takes no value")
		}
	}
	return nil
}

// Command is UCI's line that sets the option.
func (o *ListedOption) Command(value string) string {
	if o.Kind == Button {
		return "setoption name " + o.Name
	}
	return "setoption name " + o.Name + " value " + value
}

// Options are the options that an engine lists, in its order, and the values
// that it was given last. The zero value is an empty list.
type Options struct {
	list   []ListedOption
	values []value
}

type value struct {
	text   string
	set    bool
	chosen string // by the match file
}

// Add appends an option.
func (s *Options) Add(o ListedOption) {
	s.list, s.values = append(s.list, o), append(s.values, value{})
}

// All are the options in the engine's order.
func (s *Options) All() []ListedOption { return s.list }

// Names are the names of all options.
func (s *Options) Names() []string {
	var names []string
	for i := range s.list {
		names = append(names, s.list[i].Name)
	}
	return names
}

// Find returns the option of that name, in any case of letters, or nil. It is
// valid until the next Add.
func (s *Options) Find(name string) *ListedOption {
	if i := s.index(name); i >= 0 {
		return &s.list[i]
	}
	return nil
}

func (s *Options) index(name string) int {
	folded := -1
	for i := range s.list {
		switch have := s.list[i].Name; {
		case have == name:
			return i
		case folded < 0 && strings.EqualFold(have, name):
			folded = i
		}
	}
	return folded
}

// Value is what the option was given last; ok is false before that, and for an
// option that is not listed.
func (s *Options) Value(name string) (text string, ok bool) {
	i := s.index(name)
	if i < 0 {
		return "", false
	}
	return s.values[i].text, s.values[i].set
}

// Set records that the option was given a value. It reports whether that is
// news; it is not for an option that is not listed.
func (s *Options) Set(name, text string) bool {
	i := s.index(name)
	if i < 0 || s.values[i].set && s.values[i].text == text {
		return false
	}
	s.values[i].text, s.values[i].set = text, true
	return true
}

// Choose is Set for a value of the match file, which Limit restores.
func (s *Options) Choose(name, text string) bool {
	if i := s.index(name); i >= 0 {
		s.values[i].chosen = text
	}
	return s.Set(name, text)
}

// Limit is Set for an option that limits a search. Without a limit, "", it gets what the
// match file chose, or else free, unless it was never set. text is what it was given.
func (s *Options) Limit(name, limit, free string) (text string, news bool) {
	i := s.index(name)
	if i < 0 || limit == "" && !s.values[i].set {
		return "", false
	}
	if text = limit; limit == "" {
		text = cmp.Or(s.values[i].chosen, free)
	}
	return text, s.Set(name, text)
}

// Unlisted is the error for a name that Find does not know.
func (s *Options) Unlisted(name string) error { return game.Unknown("option", name, s.Names()) }
