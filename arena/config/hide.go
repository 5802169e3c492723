package config

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// hidden replaces the values of environment variables in the recorded match file,
// because values can be passwords and runs are shared.
const hidden = "'(not kept)'"

// hideEnv returns the text of a match file, or of a part of it, without the values
// in env: mappings. It keeps ${NAME}, which reveals nothing. It returns
// notRecorded if it cannot find every value in the text, as in a block scalar.
func hideEnv(text string) string {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil {
		return notRecorded
	}
	values := envValues(&doc, false)
	if len(values) == 0 {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	slices.SortFunc(values, func(a, b *yaml.Node) int { return cmp.Or(b.Line-a.Line, b.Column-a.Column) })
	values = slices.Compact(values) // two aliases may share an anchor
	for _, v := range values {
		if v.Line < 1 || v.Line > len(lines) {
			return notRecorded
		}
		line := []rune(lines[v.Line-1])
		if v.Column < 1 || v.Column > len(line) {
			return notRecorded
		}
		before, rest := string(line[:v.Column-1]), string(line[v.Column-1:])
		n := written(v, rest)
		if n == 0 {
			return notRecorded
		}
		lines[v.Line-1] = before + hidden + rest[n:]
	}
	text = strings.Join(lines, "")
	doc = yaml.Node{}
	if yaml.Unmarshal([]byte(text), &doc) != nil {
		return notRecorded
	}
	for _, v := range envValues(&doc, false) {
		if v.Value != strings.Trim(hidden, "'") {
			return notRecorded
		}
	}
	return text
}

const notRecorded = "# not recorded: values of env: are not recorded, and here they cannot be separated from the rest\n"

// reference matches ${NAME}. The default in ${NAME:-word} is a value like others.
var reference = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// envValues returns the scalars below env: keys that are more than ${NAME}.
func envValues(node *yaml.Node, below bool) []*yaml.Node {
	switch node.Kind {
	case yaml.AliasNode:
		if below { // elsewhere its anchor is visited
			return envValues(node.Alias, true)
		}
	case yaml.ScalarNode:
		if below && reference.ReplaceAllString(node.Value, "") != "" {
			return []*yaml.Node{node}
		}
	case yaml.DocumentNode, yaml.SequenceNode:
		var all []*yaml.Node
		for _, child := range node.Content {
			all = append(all, envValues(child, below)...)
		}
		return all
	case yaml.MappingNode:
		var all []*yaml.Node
		for i := 1; i < len(node.Content); i += 2 {
			value := node.Content[i]
			env := node.Content[i-1].Value == "env" && value.Kind != yaml.ScalarNode
			all = append(all, envValues(value, below || env)...)
		}
		return all
	}
	return nil
}

// written returns the number of bytes of a scalar at the beginning of rest, 0 if
// rest does not begin with it.
func written(v *yaml.Node, rest string) int {
	switch v.Style &^ yaml.TaggedStyle {
	case 0:
		if strings.HasPrefix(rest, v.Value) {
			return len(v.Value)
		}
	case yaml.SingleQuotedStyle:
		whole := "'" + strings.ReplaceAll(v.Value, "'", "''") + "'"
		if strings.HasPrefix(rest, whole) {
			return len(whole)
		}
	case yaml.DoubleQuotedStyle:
		for i := 1; i < len(rest) && rest[0] == '"'; i++ {
			switch rest[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
	}
	return 0
}

// hideSet returns a --set word without values of env.
func hideSet(word string) string {
	path, value, ok := strings.Cut(word, "=")
	if !ok {
		return word
	}
	if slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }), "env") {
		return path + "=" + hidden
	}
	if strings.Contains(value, "env") {
		if value = hideEnv(value); value == notRecorded {
			value = hidden
		}
	}
	return path + "=" + value
}
