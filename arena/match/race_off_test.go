//go:build !race

package match

// raceDetector says that memory is not the arena's own alone.
const raceDetector = false
