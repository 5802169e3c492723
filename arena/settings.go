package arena

import (
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// SetDefaults gives every field of the struct that target points to its
// default, if it is zero and has one. Nested structs are not changed. It panics
// if a default does not fit its field.
func SetDefaults(target any) {
	v := reflect.ValueOf(target).Elem()
	for i := range v.NumField() {
		text, declared := v.Type().Field(i).Tag.Lookup("default")
		if field := v.Field(i); declared && field.IsZero() {
			if err := setText(field, v.Type().Field(i).Tag, text); err != nil {
				panic(fmt.Sprintf("arena: default of %s.%s: %v", v.Type(), v.Type().Field(i).Name, err))
			}
		}
	}
}

func setText(field reflect.Value, tag reflect.StructTag, text string) (err error) {
	if _, ok := field.Interface().(time.Duration); ok {
		d, err := time.ParseDuration(text)
		field.SetInt(int64(d))
		return err
	}
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
	case reflect.Bool:
		_, second, _ := strings.Cut(tag.Get("enum"), ",")
		field.SetBool(text == "true" || second != "" && text == second)
	case reflect.Float64:
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		field.SetFloat(f)
	case reflect.Int, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		field.SetInt(n)
	case reflect.Uint64:
		var n uint64
		n, err = strconv.ParseUint(text, 10, 64)
		field.SetUint(n)
	default:
		err = fmt.Errorf("a %s has no default", field.Type())
	}
	return err
}

// key is a setting's word in a match file; those without one have their
// field's name.
func key(f reflect.StructField) string {
	if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name != "" {
		return name
	}
	return strings.ToLower(f.Name)
}

// fields are the fields of a struct with their values.
func fields(v reflect.Value) iter.Seq2[reflect.StructField, reflect.Value] {
	return func(yield func(reflect.StructField, reflect.Value) bool) {
		for i := range v.NumField() {
			if !yield(v.Type().Field(i), v.Field(i)) {
				return
			}
		}
	}
}

// copyFields sets the fields of to that from has by the same name and type.
func copyFields(to, from any) {
	source := reflect.ValueOf(from).Elem()
	for f, v := range fields(reflect.ValueOf(to).Elem()) {
		if same := source.FieldByName(f.Name); same.IsValid() && same.Type() == f.Type {
			v.Set(same)
		}
	}
}
