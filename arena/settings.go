package arena

import (
	"fmt"
	"iter"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Setting is a field of a struct of settings.
type Setting struct {
	reflect.StructField
	Key     string // in a match file; of one that is found, not written, the field's name
	Written bool   // it has a key in a match file
	Value   reflect.Value
}

// Fields are the fields of a struct of settings with their values, in the order of
// declaration. Everything that is done for all settings walks over it.
func Fields(v reflect.Value) iter.Seq[Setting] {
	return func(yield func(Setting) bool) {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			s := Setting{StructField: f, Key: name, Written: name != "", Value: v.Field(i)}
			if !s.Written {
				s.Key = strings.ToLower(f.Name)
			}
			if !yield(s) {
				return
			}
		}
	}
}

// SetDefaults gives every field of the struct that target points to its
// default, if it is zero and has one. Nested structs are not changed. It panics
// if a default does not fit its field.
func SetDefaults(target any) {
	for s := range Fields(reflect.ValueOf(target).Elem()) {
		if text, declared := s.Tag.Lookup("default"); declared && s.Value.IsZero() {
			if err := s.SetText(text); err != nil {
				panic(fmt.Sprintf("arena: default of %s: %v", s.Name, err))
			}
		}
	}
}

// SetText sets a setting of a plain type from its text.
func (s Setting) SetText(text string) (err error) {
	if _, ok := s.Value.Interface().(time.Duration); ok {
		d, err := time.ParseDuration(text)
		s.Value.SetInt(int64(d))
		return err
	}
	number := strings.ReplaceAll(text, "_", "")
	switch s.Value.Kind() {
	case reflect.String:
		s.Value.SetString(text)
	case reflect.Bool:
		var b bool
		if _, second, closed := strings.Cut(s.Tag.Get("enum"), ","); closed {
			b = text == second
		} else {
			b, err = strconv.ParseBool(text)
		}
		s.Value.SetBool(b)
	case reflect.Float64:
		var f float64
		if f, err = strconv.ParseFloat(text, 64); math.IsInf(f, 0) || math.IsNaN(f) {
			err = strconv.ErrRange
		}
		s.Value.SetFloat(f)
	case reflect.Int, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(number, 0, s.Type.Bits())
		s.Value.SetInt(n)
	case reflect.Uint64:
		var n uint64
		n, err = strconv.ParseUint(number, 0, 64)
		s.Value.SetUint(n)
	default:
		err = fmt.Errorf("a %s has no text", s.Type)
	}
	return err
}
