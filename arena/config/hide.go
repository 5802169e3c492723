package config

import (
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// hidden replaces the values of environment variables in the recorded match file,
// because values can be passwords and runs are shared.
const hidden = "(not kept)"

const notRecorded = "# not recorded: values of env: are not recorded, and this cannot be written without them\n"

// reference matches ${NAME}, which reveals nothing. The default in ${NAME:-word} is a
// value like others.
var reference = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// hideEnv returns the text of a match file, or of a part of it, without the values in
// env: mappings. A text that has some is written anew.
func hideEnv(text string) string {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil || newReader("", Host{}).deep(&doc, 0) {
		return notRecorded
	}
	if !hide(&doc, false) {
		return text
	}
	out, err := encode(&doc)
	if err != nil {
		return notRecorded
	}
	return string(out)
}

// hide replaces the scalars below env: keys. It reports whether there are any.
func hide(node *yaml.Node, below bool) (found bool) {
	switch node.Kind {
	case yaml.AliasNode:
		return below && hide(node.Alias, true) // elsewhere its anchor is visited
	case yaml.ScalarNode:
		if !below || node.Value == hidden || reference.ReplaceAllString(node.Value, "") == "" {
			return false
		}
		node.Tag, node.Style, node.Value = "!!str", yaml.SingleQuotedStyle, hidden
		return true
	}
	for i, child := range node.Content {
		env := false
		if node.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue // a key
			}
			env = node.Content[i-1].Value == "env" && child.Kind != yaml.ScalarNode
		}
		found = hide(child, below || env) || found
	}
	return found
}

// hideSet returns a --set word without values of env.
func hideSet(word string) string {
	path, value, ok := strings.Cut(word, "=")
	if !ok {
		return word
	}
	if slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }), "env") {
		return path + "='" + hidden + "'"
	}
	if strings.Contains(value, "env") {
		if value = strings.TrimSpace(hideEnv(value)); value == strings.TrimSpace(notRecorded) {
			value = "'" + hidden + "'"
		}
	}
	return path + "=" + value
}
