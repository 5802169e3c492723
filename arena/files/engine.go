package files

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Of finds the files that are in the hash of an engine, with their hashes: its program first, those
// that its command names, and those beside them. dir is where it starts. patterns name those
// beside; nil: they are the sources beside a script.
func Of(command []string, dir string, patterns []string) ([]File, error) {
	named := []string{command[0]}
	for _, word := range command[1:] {
		_, path := Argument(word)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if IsRegular(path) {
			named = append(named, path)
		}
	}
	root, further, err := beside(command, named, dir, patterns)
	if err != nil {
		return nil, err
	}
	var list []File
	for _, path := range named {
		list = append(list, File{Name: path, Path: path})
	}
	for _, path := range further { // they go by their names in root
		name, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		list = append(list, File{Name: filepath.ToSlash(name), Path: path, Beside: true})
	}
	for i := range list {
		if list[i].Sum, err = Sum(list[i].Path); err != nil {
			return nil, fmt.Errorf("%s %w", list[i].Path, err)
		}
	}
	return list, nil
}

// IsRegular reports whether there is a regular file at path.
func IsRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Argument splits a word of a command that may name a file: --net=PATH has a flag.
func Argument(word string) (flag, path string) {
	before, after, joined := strings.Cut(word, "=")
	if joined && strings.HasPrefix(word, "-") {
		return before + "=", after
	}
	return "", word
}

// Digest is the SHA-256 of a program. If there are files that its command names, such
// as a script or a network, it is the SHA-256 of all their hashes in order, and those
// beside them add their names.
func Digest(list []File) string {
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
