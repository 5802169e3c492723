package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// mapping returns a mapping that is written in one line.
func mapping() *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Style: yaml.FlowStyle}
}

// null is the tag of a key without a value.
const null = "!!null"

// place is where the value of a key is in the content of a mapping, 0 if there is none.
func place(node *yaml.Node, key string) int {
	for i := 1; node.Kind == yaml.MappingNode && i < len(node.Content); i += 2 {
		if node.Content[i-1].Value == key {
			return i
		}
	}
	return 0
}

// put gives a key of a mapping a value.
func put(mapping *yaml.Node, key string, value *yaml.Node) {
	if i := place(mapping, key); i > 0 {
		mapping.Content[i] = value
		return
	}
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, value)
}

// cut removes a key of a mapping.
func cut(mapping *yaml.Node, key string) {
	if i := place(mapping, key); i > 0 {
		mapping.Content = slices.Delete(mapping.Content, i-1, i+1)
	}
}

// below is the value of a key, nil if there is none.
func below(node *yaml.Node, key string) *yaml.Node {
	if i := place(node, key); i > 0 {
		return resolved(node.Content[i])
	}
	return nil
}

func resolved(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// scalarOf returns the text of a scalar, "" for null.
func scalarOf(node *yaml.Node) (string, bool) {
	if node.Kind != yaml.ScalarNode {
		return "", false
	}
	if node.Tag == null {
		return "", true
	}
	return node.Value, true
}

// parseValue reads a value, null where there is no text.
func parseValue(text string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("the value is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: null}, nil
	}
	return doc.Content[0], nil
}

func encode(root *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		return nil, fmt.Errorf("writing the match file: %w", err)
	}
	return out.Bytes(), enc.Close()
}
