package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"thera/engine/game"
)

// Schema is the JSON schema of match files for these games, for editors that
// complete and check YAML. It is made of the same structs as the decoder.
func Schema(games []game.Game) ([]byte, error) {
	root := schemaOf(reflect.TypeFor[file]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Thera match file"
	properties := root["properties"].(map[string]any)
	var names []string
	var cases []any
	for _, g := range games {
		names = append(names, g.Name())
		rules, openings := g.Settings()
		then := map[string]any{}
		if rules != nil {
			then["rules"] = nullable(schemaOf(reflect.TypeOf(rules).Elem()))
		} else {
			then["rules"] = map[string]any{"type": []string{"object", "null"}, "additionalProperties": false}
		}
		own := schemaOf(reflect.TypeFor[openingsFile]())
		if openings != nil {
			for name, s := range schemaOf(reflect.TypeOf(openings).Elem())["properties"].(map[string]any) {
				own["properties"].(map[string]any)[name] = s
			}
		}
		then["openings"] = nullable(own)
		cases = append(cases, map[string]any{
			"if":   map[string]any{"properties": map[string]any{"game": map[string]any{"const": g.Name()}}, "required": []string{"game"}},
			"then": map[string]any{"properties": then},
		})
	}
	properties["game"].(map[string]any)["enum"] = names
	for _, part := range []string{"rules", "openings"} { // closed by the game's case
		doc := properties[part].(map[string]any)["description"]
		properties[part] = map[string]any{"type": []string{"object", "null"}, "description": doc}
	}
	if len(cases) > 0 {
		root["allOf"] = cases
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema of match files: %w", err)
	}
	return append(text, '\n'), nil
}

// openingsFile is openings without the game's own part.
type openingsFile openings

// schemaOf describes a type as the decoder reads it.
func schemaOf(t reflect.Type) map[string]any {
	if t == durationType {
		return map[string]any{"type": "string", "pattern": `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$|^0$|^\$\{`, "examples": []string{"200ms"}}
	}
	switch reflect.New(t).Interface().(type) {
	case *command:
		return map[string]any{"oneOf": []any{text(), map[string]any{"type": "array", "items": text(), "minItems": 1}}}
	case *optionList:
		return map[string]any{"type": []string{"object", "null"}, "additionalProperties": map[string]any{"type": []string{"string", "number", "boolean", "null"}}}
	case *raw:
		return map[string]any{"type": []string{"object", "null"}}
	case *count:
		return map[string]any{"oneOf": []any{map[string]any{"const": "auto"}, map[string]any{"type": "integer", "minimum": 1, "maximum": 4096}}}
	case *percent:
		return map[string]any{"type": []string{"number", "string"}, "examples": []any{"5%", 0.05}}
	case *size:
		return map[string]any{"type": []string{"integer", "string"}, "examples": []string{"2GiB"}}
	case *clock:
		return map[string]any{"type": "string", "examples": []string{"60s+0.6s"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Struct:
		return structSchema(t)
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": []string{"object", "null"}, "additionalProperties": map[string]any{"type": []string{"string", "number", "boolean", "null"}}}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	return text()
}

// text may also be written as a number or a truth value.
func text() map[string]any { return map[string]any{"type": []string{"string", "number", "boolean"}} }

func structSchema(t reflect.Type) map[string]any {
	properties := map[string]any{}
	var required []string
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if name == "" || name == "-" {
			continue
		}
		s := schemaOf(field.Type)
		if words := field.Tag.Get("enum"); words != "" {
			at := s
			if items, list := s["items"].(map[string]any); list {
				at = items
			}
			delete(at, "type")
			at["enum"] = strings.Split(words, ",")
		}
		if s["type"] == "object" && field.Tag.Get("required") == "" {
			s = nullable(s)
		}
		if doc := field.Tag.Get("doc"); doc != "" {
			s["description"] = doc
		}
		if field.Tag.Get("required") != "" {
			required = append(required, name)
		}
		properties[name] = s
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// nullable allows a key with nothing behind it.
func nullable(s map[string]any) map[string]any {
	s["type"] = []string{"object", "null"}
	return s
}
