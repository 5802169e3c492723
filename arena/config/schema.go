package config

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"thera/arena"
	"thera/arena/tournament"
	"thera/engine/game"
)

// Schema returns the JSON schema of match files for these games, which editors use
// to complete and check YAML. It follows from the declarations in package arena.
func Schema(games []game.Game) ([]byte, error) {
	root := structSchema(&arena.Plan{})
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Thera match file"
	properties := root["properties"].(map[string]any)
	var names []string
	var cases []any
	for _, g := range games {
		names = append(names, g.Name())
		rules, openings := g.Settings()
		then := map[string]any{
			"rules":    nullable(structSchema(rules)),
			"openings": nullable(structSchema(&arena.Openings{}, openings)),
		}
		cases = append(cases, map[string]any{
			"if":   schema(fmt.Sprintf(`{"properties": {"game": {"const": %q}}, "required": ["game"]}`, g.Name())),
			"then": map[string]any{"properties": then},
		})
	}
	properties["game"].(map[string]any)["enum"] = names
	folder := structSchema(&roster{})
	parts := folder["properties"].(map[string]any)
	parts["also"], parts["each"] = schema(`{"$ref": "#/properties/engines/oneOf/0"}`), schema(`{"type": "object"}`)
	properties["engines"] = map[string]any{"oneOf": []any{properties["engines"], folder}}
	for _, part := range []string{"rules", "openings"} { // the case of the game says which keys are allowed
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

// schemaOf describes a type as the decoder reads it.
func schemaOf(t reflect.Type) map[string]any {
	if f, ok := typed[t]; ok {
		return schema(f.schema)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Struct:
		return structSchema(reflect.New(t).Interface())
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	}
	return schema(plain[t.Kind()].schema)
}

// structSchema describes the keys of structs that share a mapping; nil has none. Of a key
// that several have, the last one counts.
func structSchema(targets ...any) map[string]any {
	properties, required := map[string]any{}, []string(nil)
	for _, target := range targets {
		if target == nil {
			continue
		}
		for field := range arena.Fields(valueOf(target)) {
			if !field.Written {
				continue
			}
			if properties[field.Key] = fieldSchema(field); field.Tag.Get("required") != "" {
				required = append(required, field.Key)
			}
		}
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func fieldSchema(field arena.Setting) map[string]any {
	s := schema(forms[field.Tag.Get("form")].schema)
	if s == nil {
		s = schemaOf(field.Type)
	}
	if words := field.Tag.Get("enum"); words != "" {
		at := s
		if items, list := s["items"].(map[string]any); list {
			at = items
		}
		delete(at, "type")
		at["enum"] = strings.Split(words, ",")
	}
	more := strings.HasPrefix(field.Tag.Get("range"), "more") // than what a schema can say
	if low, high, limited := bounds(field.Tag); limited && s["type"] != "array" && !more {
		s["minimum"] = low
		if !math.IsInf(high, 1) {
			s["maximum"] = high
		}
	}
	if s["type"] == "object" && field.Tag.Get("required") == "" {
		s = nullable(s)
	}
	doc := field.Tag.Get("doc")
	if field.Tag.Get("form") == "format" {
		s["enum"], doc = tournament.Names(), tournament.Doc()
	}
	if doc := docOf(field.Tag, doc); doc != "" {
		s["description"] = doc
	}
	return s
}

// docOf adds to a description the default, and whether the setting is fixed for a
// run.
func docOf(tag reflect.StructTag, doc string) string {
	var notes []string
	if value, ok := tag.Lookup("default"); ok {
		notes = append(notes, "default "+value)
	}
	if tag.Get("condition") == "yes" {
		notes = append(notes, "fixed for a run")
	}
	if len(notes) == 0 {
		return doc
	}
	if doc, open := strings.CutSuffix(doc, ")"); open {
		return doc + "; " + strings.Join(notes, "; ") + ")"
	}
	return doc + " (" + strings.Join(notes, "; ") + ")"
}

// nullable also allows a key without a value.
func nullable(s map[string]any) map[string]any {
	s["type"] = []string{"object", "null"}
	return s
}
