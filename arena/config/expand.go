package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// variable is ${NAME}, ${NAME:-default} or ${NAME:?set:unset}.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([-?])([^{}]*))?\}`)

// expand replaces environment variables in all values. ${NAME} must be set;
// ${NAME:-word} is word if NAME is not set; ${NAME:?yes:no} is yes if it is set
// and no otherwise. An engine option that becomes empty is not sent.
func (r *reader) expand(node *yaml.Node, path string) {
	switch {
	case r.host.Env == nil || r.origin[node] != "":
	case node.Kind == yaml.SequenceNode:
		for i, item := range node.Content {
			r.expand(item, fmt.Sprintf("%s[%d]", path, i))
		}
	case node.Kind == yaml.MappingNode:
		for i := 1; i < len(node.Content); i += 2 {
			r.expand(node.Content[i], join(path, node.Content[i-1].Value))
		}
	case node.Kind == yaml.ScalarNode && strings.Contains(node.Value, "${"):
		node.Value = variable.ReplaceAllStringFunc(node.Value, func(word string) string {
			m := variable.FindStringSubmatch(word)
			value, err := r.variable(m[1], m[2], m[3])
			if err != nil {
				r.fault(node, path, err.Error())
			}
			return value
		})
		r.emptied[node] = node.Value == ""
		if node.Value != "" { // ${DEPTH:-6} is a number even in the quotes that YAML needs inside {…}
			node.Tag, node.Style = "", 0
			node.Tag = node.ShortTag()
		}
	}
}

func (r *reader) variable(name, kind, rest string) (string, error) {
	value, set := "", false
	if known := r.mine || slices.Contains(r.pass, name); known {
		value, set = r.host.Env(name)
		set = set && value != ""
	} else if kind == "" && name != "OUT" {
		return "", fmt.Errorf("a commit cannot ask for the variable %s of this machine, expected --env %[1]s on the command line", name)
	}
	switch {
	case kind == "?":
		yes, no, _ := strings.Cut(rest, ":")
		if set {
			return yes, nil
		}
		return no, nil
	case set:
		return value, nil
	case kind == "-":
		return rest, nil
	}
	return "", fmt.Errorf("environment variable %s is not set, expected a value (or ${%s:-default})", name, name)
}
