package config

import (
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// variable is ${NAME}, ${NAME:-default} or ${NAME:?set:unset}.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([-?])([^{}]*))?\}`)

// expand replaces environment variables in all values. ${NAME} must be set;
// ${NAME:-word} is word if NAME is not set; ${NAME:?yes:no} is yes if it is set
// and no otherwise. An engine option that becomes empty is not sent.
func (c *collector) expand(node *yaml.Node, env func(string) (string, bool)) {
	if env == nil {
		return
	}
	switch node.Kind {
	case yaml.MappingNode:
		for i := 1; i < len(node.Content); i += 2 {
			c.expand(node.Content[i], env)
		}
	case yaml.SequenceNode:
		for _, item := range node.Content {
			c.expand(item, env)
		}
	case yaml.ScalarNode:
		if strings.Contains(node.Value, "${") {
			c.expandScalar(node, env)
		}
	}
}

func (c *collector) expandScalar(node *yaml.Node, env func(string) (string, bool)) {
	node.Value = variable.ReplaceAllStringFunc(node.Value, func(word string) string {
		m := variable.FindStringSubmatch(word)
		name, kind, rest := m[1], m[2], m[3]
		value, set := env(name)
		set = set && value != ""
		switch {
		case kind == "?":
			yes, no, _ := strings.Cut(rest, ":")
			if set {
				return yes
			}
			return no
		case set:
			return value
		case kind == "-":
			return rest
		}
		c.fault(node, "", fmt.Sprintf("environment variable %s is not set, expected a value (or ${%s:-default})", name, name))
		return ""
	})
	c.emptied[node] = node.Value == ""
	if node.Value != "" { // ${DEPTH:-6} is a number even in the quotes that YAML needs inside {…}
		node.Tag, node.Style = "", 0
		node.Tag = node.ShortTag()
	}
}
