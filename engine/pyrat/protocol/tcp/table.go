package tcp

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode"
)

// buffer is a FlatBuffer from outside. Nothing in it is believed: each offset is bounded before
// it is followed. What leads out of the buffer reads as absent, and is noted.
type buffer struct {
	bytes []byte
	bad   string // what was wrong first, "" if nothing was
}

// table is a table in a buffer. The zero value has no fields.
type table struct {
	in     *buffer
	at     int    // its fields are counted from here
	size   int    // of its fields
	vtable []byte // where each of them is, two bytes each, after four bytes of sizes
}

// take is the part of the buffer from at on, nil where it is not all there.
func (b *buffer) take(at, size int, what string) []byte {
	if at < 0 || size < 0 || at > len(b.bytes) || size > len(b.bytes)-at {
		if b.bad == "" {
			b.bad = what
		}
		return nil
	}
	return b.bytes[at : at+size]
}

// follow is where an offset leads.
func (b *buffer) follow(at int, what string) int {
	offset := b.take(at, 4, what)
	if offset == nil {
		return -1
	}
	return at + int(binary.LittleEndian.Uint32(offset))
}

// root is the table of the whole buffer.
func (b *buffer) root() table { return b.table(b.follow(0, "the root"), "the root") }

func (b *buffer) table(at int, what string) table {
	back := b.take(at, 4, what)
	if back == nil {
		return table{}
	}
	where := at - int(int32(binary.LittleEndian.Uint32(back)))
	sizes := b.take(where, 4, what)
	if sizes == nil {
		return table{}
	}
	size := int(binary.LittleEndian.Uint16(sizes[2:]))
	vtable := b.take(where, int(binary.LittleEndian.Uint16(sizes)), what)
	if b.take(at, size, what) == nil || len(vtable) < 4 {
		b.take(-1, 0, what)
		return table{}
	}
	return table{in: b, at: at, size: size, vtable: vtable}
}

// field is the bytes of a field, nil if it is absent.
func (t table) field(id, size int) []byte {
	slot := 4 + 2*id
	if slot+2 > len(t.vtable) {
		return nil
	}
	offset := int(binary.LittleEndian.Uint16(t.vtable[slot:]))
	switch {
	case offset == 0:
		return nil
	case offset < 4 || offset+size > t.size:
		return t.in.take(-1, 0, "a field")
	}
	return t.in.take(t.at+offset, size, "a field")
}

// number is an unsigned field, 0 if it is absent.
func (t table) number(id, size int) (n uint64) {
	for i, b := range t.field(id, size) {
		n |= uint64(b) << (8 * i)
	}
	return n
}

// float is a field with a number, if there is one.
func (t table) float(id int) (x float64, ok bool) {
	bits := t.field(id, 4)
	if bits == nil {
		return 0, false
	}
	x = float64(math.Float32frombits(binary.LittleEndian.Uint32(bits)))
	return x, !math.IsNaN(x) && !math.IsInf(x, 0)
}

// at is where the offset in a field leads, -1 if it is absent.
func (t table) offset(id int) int {
	if t.field(id, 4) == nil {
		return -1
	}
	return t.in.follow(t.at+int(binary.LittleEndian.Uint16(t.vtable[4+2*id:])), "an offset")
}

// table is a field that is a table.
func (t table) table(id int) table {
	if at := t.offset(id); at >= 0 {
		return t.in.table(at, "a table")
	}
	return table{}
}

// vector is the elements of a field, of size bytes each, and where they begin.
func (t table) vector(id, size int) (elements []byte, at int) {
	if at = t.offset(id); at < 0 {
		return nil, at
	}
	return t.in.vector(at, size)
}

func (b *buffer) vector(at, size int) ([]byte, int) {
	n := b.take(at, 4, "a vector")
	if n == nil {
		return nil, at
	}
	return b.take(at+4, int(binary.LittleEndian.Uint32(n))*size, "a vector"), at + 4
}

// each calls do with the places to which a field's vector of offsets leads, at most most.
func (t table) each(id, most int, do func(at int)) {
	elements, at := t.vector(id, 4)
	for i := range min(len(elements)/4, most) {
		do(t.in.follow(at+4*i, "an element"))
	}
}

// text is a field that is a string; see line.
func (t table) text(id int) string {
	if at := t.offset(id); at >= 0 {
		return t.in.text(at)
	}
	return ""
}

func (b *buffer) text(at int) string {
	bytes, _ := b.vector(at, 1)
	return line(bytes)
}

// maxText bounds a text from outside, in bytes.
const maxText = 1000

// line makes one line of a text from outside: it can be a part of a line of the text protocol.
func line(text []byte) string {
	clean := strings.ToValidUTF8(string(text[:min(len(text), maxText)]), "\uFFFD")
	clean = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, clean)
	return strings.Join(strings.Fields(clean), " ")
}
