package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive, with its path in it.
type file struct {
	path string
	data []byte
	mode fs.FileMode
}

// archive builds the program for a target at a path, and packs it with the licences and the list of
// what is linked into it.
func (b *build) archive(ctx context.Context, target, at string, pages []file) (name string, _ []byte, err error) {
	if err := b.program(ctx, target, at); err != nil {
		return "", nil, err
	}
	program, err := os.ReadFile(at)
	if err != nil {
		return "", nil, err
	}
	files, err := b.linked(ctx, target, at)
	if err != nil {
		return "", nil, err
	}
	files = append(files, pages...)
	top := "thera-" + b.version + "-" + strings.ReplaceAll(target, "/", "-")
	if strings.HasPrefix(target, "windows/") {
		data, err := packZip(top, append(files, file{"thera.exe", program, 0o755}), b.when)
		return top + ".zip", data, err
	}
	data, err := packTar(top, append(files, file{"thera", program, 0o755}), b.when)
	return top + ".tar.gz", data, err
}

// sorted are the files in the order of their paths, whatever the order in which they were found.
func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.path, b.path) })
}

// packTar packs files below the folder top. All have the time when, and no owner.
func packTar(top string, files []file, when time.Time) ([]byte, error) {
	var out bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(zipped)
	for _, f := range sorted(files) {
		head := &tar.Header{
			Name: top + "/" + f.path, Mode: int64(f.mode), Size: int64(len(f.data)),
			ModTime: when, Format: tar.FormatPAX,
		}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err = errors.Join(w.Close(), zipped.Close())
	return out.Bytes(), err
}

// packZip does the same as packTar, for Windows.
func packZip(top string, files []file, when time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range sorted(files) {
		head := &zip.FileHeader{Name: top + "/" + f.path, Method: zip.Deflate, Modified: when}
		head.SetMode(f.mode)
		one, err := w.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := one.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
