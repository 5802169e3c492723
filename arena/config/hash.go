package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
)

// hash is hashOf, where each pair of program and files is read once a match
// file: built-in engines share a large one.
func (r *resolver) hash(program string, files []string) (string, error) {
	key := program + "\x00" + strings.Join(files, "\x00")
	if sum, ok := r.hashes[key]; ok {
		return sum, nil
	}
	sum, err := hashOf(program, files)
	if err == nil {
		r.hashes[key] = sum
	}
	return sum, err
}

// hashOf is the SHA-256 of a program; where its command names files (a script,
// a net), of all their hashes in that order.
func hashOf(program string, files []string) (string, error) {
	sum, err := hashFile(program)
	if err != nil || len(files) == 0 {
		return hex.EncodeToString(sum), err
	}
	all := sha256.New()
	all.Write(sum)
	for _, name := range files {
		if sum, err = hashFile(name); err != nil {
			return "", err
		}
		all.Write(sum)
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

func hashFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	return sum.Sum(nil), nil
}
