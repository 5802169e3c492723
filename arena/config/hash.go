package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
)

// hash returns hashOf the program and files. It remembers the result, because the
// built-in engines of a match file share one large program.
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

// hashOf returns the SHA-256 of a program. If its command names files, such as a
// script or a network, it is the SHA-256 of all their hashes in order.
func hashOf(program string, files []string) (string, error) {
	sum, err := HashFile(program)
	if err != nil || len(files) == 0 {
		return hex.EncodeToString(sum), err
	}
	all := sha256.New()
	all.Write(sum)
	for _, name := range files {
		if sum, err = HashFile(name); err != nil {
			return "", err
		}
		all.Write(sum)
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// HashFile is the SHA-256 of a file.
func HashFile(name string) ([]byte, error) {
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
