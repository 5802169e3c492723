package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
)

// set applies one --set word, key.path=value, to the file. In a list, a part of
// the path is an index (engines.0 or engines[0]) or the name of an entry
// (engines.thera). The value is YAML; an empty value removes the key.
func (c *collector) set(root *yaml.Node, word string) {
	fail := func(path, text string) {
		c.add(Error{File: "--set " + word, Path: path, Text: text})
	}
	path, text, ok := strings.Cut(word, "=")
	if !ok || path == "" {
		fail("", "expected key.path=value, as limit.nodes=1000")
		return
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		fail(path, fmt.Sprintf("the value is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: ")))
		return
	}
	value := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	if len(doc.Content) > 0 {
		value = doc.Content[0]
	}
	if c.deep(value, 0) {
		return
	}
	c.mark(value, word)
	at := root
	parts := strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(path), ".")
	for i, part := range parts {
		here := strings.Join(parts[:i+1], ".")
		last := i == len(parts)-1
		if at.Kind == yaml.AliasNode {
			at = at.Alias
		}
		if at.Kind == yaml.ScalarNode && at.Tag == "!!null" {
			*at = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: at.Line, Column: at.Column}
			c.mark(at, word)
		}
		switch at.Kind {
		case yaml.MappingNode:
			at = c.setKey(at, part, value, last, word)
		case yaml.SequenceNode:
			next, err := entry(at, part)
			if err != nil {
				fail(here, err.Error())
				return
			}
			if last {
				c.replace(next, value, word)
			}
			at = next
		default:
			fail(here, fmt.Sprintf("%q has no keys, expected a mapping or a list here", at.Value))
			return
		}
	}
}

// setKey returns the value of key in a mapping, and adds the key if it is missing.
// Setting one kind of limit removes the other kinds.
func (c *collector) setKey(mapping *yaml.Node, key string, value *yaml.Node, last bool, word string) *yaml.Node {
	none := value.Tag == "!!null" && value.Value == ""
	if kinds := arena.LimitKinds(); last && !none && slices.Contains(kinds, key) && strings.Contains(word, "limit.") {
		for i := 0; i+1 < len(mapping.Content); i += 2 {
			if name := mapping.Content[i].Value; name != key && slices.Contains(kinds, name) {
				mapping.Content = slices.Delete(mapping.Content, i, i+2)
				i -= 2
			}
		}
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value != key {
			continue
		}
		if !last {
			return mapping.Content[i+1]
		}
		if none { // limit.cpu= removes the key
			mapping.Content = slices.Delete(mapping.Content, i, i+2)
			return value
		}
		mapping.Content[i+1] = value
		return value
	}
	if last && none {
		return value
	}
	name := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}
	next := value
	if !last {
		next = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	c.origin[name] = word
	c.origin[next] = word
	mapping.Content = append(mapping.Content, name, next)
	return next
}

func (c *collector) replace(node, value *yaml.Node, word string) {
	*node = *value
	c.origin[node] = word
}

// mark records that node and everything below it came from word.
func (c *collector) mark(node *yaml.Node, word string) {
	c.origin[node] = word
	for _, child := range node.Content {
		c.mark(child, word)
	}
}

// entry returns the item of a list with that index or name.
func entry(list *yaml.Node, part string) (*yaml.Node, error) {
	if i, err := strconv.Atoi(part); err == nil {
		if i < 0 || i >= len(list.Content) {
			return nil, fmt.Errorf("no entry %d, expected 0 to %d", i, len(list.Content)-1)
		}
		return resolved(list.Content[i]), nil
	}
	var names []string
	for _, item := range list.Content {
		item = resolved(item)
		for i := 0; item.Kind == yaml.MappingNode && i+1 < len(item.Content); i += 2 {
			if item.Content[i].Value == "name" {
				if item.Content[i+1].Value == part {
					return item, nil
				}
				names = append(names, item.Content[i+1].Value)
			}
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no entry %q in a list without names, expected an index from 0", part)
	}
	return nil, fmt.Errorf("no entry %q, %s", part, hint(part, names))
}

func resolved(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// find returns the node at a dotted path with [i] for lists, or the deepest
// existing node on the way.
func find(root *yaml.Node, path string) *yaml.Node {
	at := resolved(root)
	for _, part := range strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(path), ".") {
		next := below(at, part)
		if next == nil {
			return at
		}
		at = next
	}
	return at
}

func below(node *yaml.Node, part string) *yaml.Node {
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == part {
				return resolved(node.Content[i+1])
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(part); err == nil && i >= 0 && i < len(node.Content) {
			return resolved(node.Content[i])
		}
	}
	return nil
}
