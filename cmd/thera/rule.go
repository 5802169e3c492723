package main

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"thera/engine/game"
)

func ruleFlag(cmd *cobra.Command, rules *[]string) {
	cmd.Flags().StringArrayVar(rules, "rule", nil, "a rule of the game, `name=value`, as under rules: in a match file (repeatable)")
}

// findGameWith returns the game with that name and some rules set.
func findGameWith(name string, rules []string) (game.Game, error) {
	g, err := findGame(name)
	if err != nil || len(rules) == 0 {
		return g, err
	}
	settings, openings := g.Settings()
	if settings == nil {
		return nil, fmt.Errorf("--rule %s: %s has no rules to set", rules[0], name)
	}
	for _, rule := range rules {
		key, value, ok := strings.Cut(rule, "=")
		if !ok {
			return nil, fmt.Errorf("--rule %s: want name=value", rule)
		}
		if err := setField(reflect.ValueOf(settings).Elem(), key, value); err != nil {
			return nil, fmt.Errorf("--rule %s: %w", rule, err)
		}
	}
	bound, problems := g.With(settings, openings)
	if len(problems) > 0 {
		return nil, fmt.Errorf("--rule: %w", problems[0])
	}
	pos, err := bound.Start(0, 0)
	if _, foreign := pos.(game.Foreign); err == nil && foreign {
		return nil, fmt.Errorf("--rule %s: only thera run and vs ask engines for the rules", strings.Join(rules, " --rule "))
	}
	return bound, nil
}

// setField parses value into the field whose yaml tag is key.
func setField(structure reflect.Value, key, value string) error {
	var known []string
	for i := range structure.NumField() {
		tag, _, _ := strings.Cut(structure.Type().Field(i).Tag.Get("yaml"), ",")
		if tag != key {
			known = append(known, tag)
			continue
		}
		field := structure.Field(i)
		switch field.Interface().(type) {
		case time.Duration:
			d, err := time.ParseDuration(value)
			if err != nil {
				return err
			}
			field.SetInt(int64(d))
			return nil
		}
		switch field.Kind() {
		case reflect.String:
			field.SetString(value)
		case reflect.Bool:
			b, err := strconv.ParseBool(value)
			if err != nil {
				return fmt.Errorf("%q is not true or false", value)
			}
			field.SetBool(b)
		case reflect.Int:
			n, err := strconv.Atoi(value)
			if err != nil {
				return fmt.Errorf("%q is not a whole number", value)
			}
			field.SetInt(int64(n))
		case reflect.Float64:
			f, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return fmt.Errorf("%q is not a number", value)
			}
			field.SetFloat(f)
		default:
			return fmt.Errorf("rule %s can only be set in a match file", key)
		}
		return nil
	}
	return fmt.Errorf("no such rule (known: %s)", strings.Join(known, ", "))
}
