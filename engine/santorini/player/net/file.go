package net

import (
	"fmt"

	"thera/engine/santorini/rules"
	"thera/engine/train"
)

// Record is where weights come from. A file of weights begins with it.
type Record struct {
	train.Head
	Gods  []string `json:"gods"`            // that the games were played with
	Added bool     `json:"added,omitempty"` // whether each god adds weights of its own
	train.Training
}

var head = train.Head{Format: "thera-santorini-net", Version: 2, Width: Width}

// stored lists the rows of a file. Rows of gods that were not played with are left out.
func stored(gods []rules.God) []int {
	var list []int
	span := func(from, n int) {
		for i := range n {
			list = append(list, from+i)
		}
	}
	for _, set := range []int{0, setRows} {
		span(set, atToken)
		if onlyMortals(gods) {
			continue
		}
		span(set+atToken, atGod-atToken)
		for i := range 2 {
			for _, god := range gods {
				index := i*int(rules.GodCount) + int(god)
				span(set+atGod+index*classes, classes)
				span(set+atState+index*codes, codes)
			}
		}
	}
	return list
}

// Encode returns a file: the record as a line of JSON, the stored rows and the other
// weights as little-endian 16-bit numbers, and the SHA-256 of all that. It refuses weights
// with which a sum could overflow.
func Encode(r Record, f *Family) ([]byte, error) {
	r.Head, r.Gods, r.Added = head, nil, f.only == nil
	for _, god := range f.gods {
		r.Gods = append(r.Gods, god.String())
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	var list []int16
	for _, row := range stored(f.gods) {
		list = append(list, f.list[row*Width:][:Width]...)
	}
	list = append(list, f.list[Rows*Width:]...)
	return train.Pack(r, append(list, f.extra...))
}

// Decode reads a file.
func Decode(file []byte) (*Family, Record, error) {
	var r Record
	list, err := train.Unpack(file, &r, head)
	if err != nil {
		return nil, r, err
	}
	gods, err := rules.ParseGods(r.Gods)
	if err != nil {
		return nil, r, err
	}
	rows, size := stored(gods), Size
	if r.Added {
		size += len(gods) * Added
	}
	if want := len(rows)*Width + size - Rows*Width; len(list) != want {
		return nil, r, fmt.Errorf("%d weights, want %d", len(list), want)
	}
	weights := make([]int16, size)
	copy(weights[Rows*Width:], list[len(rows)*Width:])
	for i, row := range rows {
		copy(weights[row*Width:], list[i*Width:][:Width])
	}
	f, err := NewFamily(weights, gods)
	return f, r, err
}
