package lanes

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// Pack returns a file of weights: the record as a line of JSON, the weights as
// little-endian 16-bit numbers, and the SHA-256 of all that.
func Pack(record any, weights []int16) ([]byte, error) {
	out, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	out = append(out, '\n')
	for _, w := range weights {
		out = binary.LittleEndian.AppendUint16(out, uint16(w))
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

// Unpack reads what Pack returned. It refuses a file whose record has another head.
func Unpack(file []byte, record interface{ Check(want Head) error }, head Head) (weights []int16, err error) {
	if len(file) < sha256.Size {
		return nil, fmt.Errorf("%d bytes are no net", len(file))
	}
	body, sum := file[:len(file)-sha256.Size], file[len(file)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, fmt.Errorf("the checksum is %x, want %x", sum, want)
	}
	line, body, _ := bytes.Cut(body, []byte("\n"))
	if err := json.Unmarshal(line, record); err != nil {
		return nil, fmt.Errorf("no record of a net: %.60q", line)
	}
	if err := record.Check(head); err != nil {
		return nil, err
	}
	if len(body)%2 != 0 {
		return nil, fmt.Errorf("%d bytes of weights", len(body))
	}
	weights = make([]int16, len(body)/2)
	for i := range weights {
		weights[i] = int16(binary.LittleEndian.Uint16(body[2*i:]))
	}
	return weights, nil
}
