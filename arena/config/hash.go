package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"thera/arena"
	"thera/arena/files"
)

// hash finds the files of an engine and computes its hash from them.
func (r *reader) hash(path string, e *arena.EngineSpec) {
	var err error
	if e.Hashed, err = Hashed(e, r.host.Dir); err != nil {
		r.bad(path, "%v", err)
		return
	}
	e.Binary = digest(e.Hashed)
}

// Hashed are the files of an engine that are in its hash: its program, those that its
// command names, and those beside them. dir is the working folder of thera.
func Hashed(e *arena.EngineSpec, dir string) ([]files.File, error) {
	var list []files.File
	add := func(name, path string, beside bool) error {
		sum, err := files.Sum(path)
		if err != nil {
			return fmt.Errorf("%s %w", path, err)
		}
		list = append(list, files.File{Name: name, Sum: sum, Beside: beside, Path: path})
		return nil
	}
	command := append([]string{e.Command[0]}, named(e, dir)...)
	if e.Builtin {
		command = command[:1]
	}
	for _, path := range command {
		if err := add(path, path, false); err != nil {
			return nil, err
		}
	}
	names, paths, err := beside(e, command, dir)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if err := add(name, paths[i], true); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// digest is the SHA-256 of a program. If there are files that its command names, such
// as a script or a network, it is the SHA-256 of all their hashes in order, and those
// beside them add their names.
func digest(list []files.File) string {
	if len(list) == 0 {
		return ""
	}
	if len(list) == 1 {
		return list[0].Sum
	}
	all := sha256.New()
	for _, f := range list {
		sum, _ := hex.DecodeString(f.Sum)
		if f.Beside {
			fmt.Fprintf(all, "\x00%s\x00", f.Name)
		}
		all.Write(sum)
	}
	return hex.EncodeToString(all.Sum(nil))
}

// isSum reports whether text is a SHA-256 as thera writes it.
func isSum(text string) bool {
	return len(text) == 2*sha256.Size && strings.Trim(text, "0123456789abcdef") == ""
}
