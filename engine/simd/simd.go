// Package simd adds up four 16-bit numbers at once in one 64-bit word, without vector
// instructions, for the nets of Gyges and Mill. It is exact on every platform.
//
// A word is the sum of element[i]<<16i, where the elements are signed. Words are added and
// subtracted as plain integers, carries included. The result is exact if each element of the
// final sum fits in 16 bits. The nets check that when their files are written.
package simd

// Element returns a word whose element i, 0 to 3, is n. The others are 0.
func Element(n int16, i int) uint64 { return uint64(int64(n)) << (i * 16) }

// bias lifts every element, so that none is negative.
const bias = 0x8000_8000_8000_8000

// Positive returns the sum of the positive elements of a word, as two 32-bit elements.
func Positive(word uint64) uint64 {
	word += bias
	keep := word >> 15 & 0x0001_0001_0001_0001
	word &= keep<<15 - keep
	return word&0x0000_ffff_0000_ffff + word>>16&0x0000_ffff_0000_ffff
}

// Score adds the two 32-bit elements of a sum.
func Score(sum uint64) int {
	low := int32(sum)
	high := int32((sum - uint64(int64(low))) >> 32)
	return int(low) + int(high)
}
