package proc

import (
	"slices"
	"strings"
)

// environment is the inherited environment with own added. Each name occurs
// once, because programs differ in which of two values they use.
func environment(inherited, own []string) []string {
	set := map[string]bool{}
	for _, v := range own {
		name, _, _ := strings.Cut(v, "=")
		set[name] = true
	}
	kept := slices.DeleteFunc(slices.Clone(inherited), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return set[name]
	})
	return append(kept, own...)
}
