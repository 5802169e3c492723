// Package lanes is SIMD in plain Go: it adds up four 16-bit numbers at once in a word of 64
// bits, for the nets of Gyges and Mill. It is exact on every platform.
//
// A word is the sum lane[i]<<16i of signed lanes as one integer, so that words are added
// and subtracted with plain integer arithmetic, carries included: the sum is exact as long
// as each lane of the final sum fits in 16 bits. The nets check that when their files are
// written.
package lanes

// Lane is a word whose lane i, 0 to 3, is n and the others 0.
func Lane(n int16, i int) uint64 { return uint64(int64(n)) << (i * 16) }

// bias lifts every lane so that a word with negative lanes has none.
const bias = 0x8000_8000_8000_8000

// Positive is the sum of the lanes of a word that are not negative, as two 32-bit lanes.
func Positive(word uint64) uint64 {
	word += bias
	keep := word >> 15 & 0x0001_0001_0001_0001
	word &= keep<<15 - keep
	return word&0x0000_ffff_0000_ffff + word>>16&0x0000_ffff_0000_ffff
}

// Score adds the two 32-bit lanes of a sum.
func Score(sum uint64) int {
	low := int32(sum)
	high := int32((sum - uint64(int64(low))) >> 32)
	return int(low) + int(high)
}
