package net

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"thera/engine/santorini/rules"
)

// Record is where weights come from. A file of weights begins with it.
type Record struct {
	Format  string   `json:"format"`
	Version int      `json:"version"`
	Lanes   int      `json:"lanes"`
	Gods    []string `json:"gods"` // that the games were played with

	Games     int      `json:"games"`
	Positions int      `json:"positions"`
	HeldOut   int      `json:"held_out"` // positions of other games, not trained on
	Lambda    float64  `json:"lambda"`   // the share of the score in the target, the rest is the result
	Epochs    int      `json:"epochs"`
	Loss      float64  `json:"loss"`      // cross entropy on the held-out positions, less that of the target itself
	HandLoss  float64  `json:"hand_loss"` // the same of the evaluation by hand
	Sources   []string `json:"sources"`   // headers of the self-play
}

const (
	formatName    = "thera-santorini-net"
	formatVersion = 1
)

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

// Encode returns a file: the record as a line of JSON, the stored rows as little-endian
// 16-bit numbers, and the SHA-256 of all that. It refuses weights with which a lane
// could overflow.
func Encode(r Record, weights []int16) ([]byte, error) {
	r.Format, r.Version, r.Lanes = formatName, formatVersion, Lanes
	gods, err := rules.ParseGods(r.Gods)
	if err != nil {
		return nil, err
	}
	if len(weights) != Rows*Lanes {
		return nil, fmt.Errorf("%d weights, want %d", len(weights), Rows*Lanes)
	}
	if err := check(weights, gods); err != nil {
		return nil, err
	}
	out, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	out = append(out, '\n')
	for _, row := range stored(gods) {
		for _, w := range weights[row*Lanes:][:Lanes] {
			out = binary.LittleEndian.AppendUint16(out, uint16(w))
		}
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

// Decode reads a file.
func Decode(file []byte) (*Net, Record, error) {
	var r Record
	if len(file) < sha256.Size {
		return nil, r, fmt.Errorf("%d bytes are no net", len(file))
	}
	body, sum := file[:len(file)-sha256.Size], file[len(file)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, r, fmt.Errorf("the checksum is %x, want %x", sum, want)
	}
	line, body, _ := bytes.Cut(body, []byte("\n"))
	if err := json.Unmarshal(line, &r); err != nil || r.Format != formatName || r.Version != formatVersion || r.Lanes != Lanes {
		return nil, r, fmt.Errorf("no net of version %d with %d lanes: %.60q", formatVersion, Lanes, line)
	}
	gods, err := rules.ParseGods(r.Gods)
	if err != nil {
		return nil, r, err
	}
	rows := stored(gods)
	if len(body) != len(rows)*Lanes*2 {
		return nil, r, fmt.Errorf("%d bytes of weights, want %d", len(body), len(rows)*Lanes*2)
	}
	weights := make([]int16, Rows*Lanes)
	for i, row := range rows {
		for l := range Lanes {
			weights[row*Lanes+l] = int16(binary.LittleEndian.Uint16(body[(i*Lanes+l)*2:]))
		}
	}
	n, err := New(weights, gods)
	return n, r, err
}
