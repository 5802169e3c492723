package mill

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// option is one that an engine listed: kind is spin, check, combo, button or
// string; for a spin bounded says that it gave a range.
type option struct {
	name, kind, initial string
	bounded             bool
	min, max            int
	vars                []string
}

// parseOption reads an `option name … type …` line.
func parseOption(line string) (option, bool) {
	rest, ok := strings.CutPrefix(line, "option name ")
	if !ok {
		return option{}, false
	}
	name, rest, ok := strings.Cut(rest, " type ")
	if !ok || strings.TrimSpace(name) == "" {
		return option{}, false
	}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return option{}, false
	}
	o := option{name: strings.TrimSpace(name), kind: words[0]}
	var bounds [2]bool
	for i := 1; i < len(words); i++ {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		n, err := strconv.Atoi(value)
		switch words[i] {
		case "default":
			o.initial = value
		case "min":
			o.min, bounds[0] = n, err == nil
		case "max":
			o.max, bounds[1] = n, err == nil
		case "var":
			o.vars = append(o.vars, value)
		default:
			continue
		}
		i++
	}
	o.bounded = bounds == [2]bool{true, true}
	return o, true
}

// check says why value can't be set, or nil.
func (o *option) check(value string) error {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return fmt.Errorf("option %s: %q holds a control character", o.name, value)
	}
	switch o.kind {
	case "spin":
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("option %s: %q is not a whole number", o.name, value)
		}
		if o.bounded && (n < o.min || n > o.max) {
			return fmt.Errorf("option %s: %d is out of range: want %d to %d", o.name, n, o.min, o.max)
		}
	case "check":
		if value != "true" && value != "false" {
			return fmt.Errorf("option %s: %q: want true or false", o.name, value)
		}
	case "combo":
		if !slices.Contains(o.vars, value) {
			return fmt.Errorf("option %s: %q: want one of %s", o.name, value, strings.Join(o.vars, ", "))
		}
	case "button":
		if value != "" && value != "true" {
			return fmt.Errorf("option %s is a button and takes no value (got %q)", o.name, value)
		}
	}
	return nil
}

// command is the line that sets the option.
func (o *option) command(value string) string {
	if o.kind == "button" {
		return "setoption name " + o.name
	}
	return "setoption name " + o.name + " value " + value
}

// findOption is the listed option of that name. Names are case-sensitive; the
// error hints at the nearest one.
func findOption(listed []option, name string) (*option, error) {
	for i := range listed {
		if listed[i].name == name {
			return &listed[i], nil
		}
	}
	best, least := "", max(3, len(name)/2)
	for _, o := range listed {
		if d := edits(strings.ToLower(name), strings.ToLower(o.name)); d < least {
			best, least = o.name, d
		}
	}
	if best == "" {
		return nil, fmt.Errorf("the engine lists no option %q", name)
	}
	return nil, fmt.Errorf("the engine lists no option %q (did you mean %q?)", name, best)
}
