package store

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errChecksum = errors.New("its checksum does not match")

// sumOf returns the CRC-32C of values as SQLite returns them. It detects every burst of
// up to 32 bits. What is no whole number, number, text or NULL has no checksum, -1.
func sumOf(values ...any) int64 {
	room := make([]byte, 0, 512)
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			room = append(room, 0)
		case int64:
			room = binary.LittleEndian.AppendUint64(append(room, 1), uint64(v))
		case float64:
			room = binary.LittleEndian.AppendUint64(append(room, 2), math.Float64bits(v))
		case string:
			room = binary.AppendUvarint(append(room, 3), uint64(len(v)))
			room = append(room, v...)
		default:
			return -1
		}
	}
	return int64(crc32.Checksum(room, castagnoli))
}
