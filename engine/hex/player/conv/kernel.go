package conv

// Fast reports whether a position takes some hundred microseconds; without vector code it takes milliseconds.
func Fast() bool { return vector }

// places is how many neighbouring places of a row are computed at once.
const places = 3

// none is added to layers that nothing is added to.
var none [places * Channels]int16

// convolveGeneric computes places of a layer, from place at of its inputs on. near are the offsets of the places
// around.
func (l *layer) convolveGeneric(out, in, add []int16, at int, near *[around]int) {
	for place := range places {
		sums := l.bias
		for k, offset := range near {
			from := in[(at+place+offset)*l.inputs:][:l.inputs]
			weights := l.weights[k*l.inputs*Channels:][:l.inputs*Channels]
			for i := 0; i < len(from); i += 2 {
				x, y := int32(from[i]), int32(from[i+1])
				if x|y == 0 {
					continue
				}
				pairs := weights[i*Channels:][:2*Channels]
				for o := range sums {
					sums[o] += x*int32(pairs[2*o]) + y*int32(pairs[2*o+1])
				}
			}
		}
		for o, sum := range sums {
			out[place*Channels+o] = int16(min(max(sum>>shift+int32(add[place*Channels+o]), 0), top))
		}
	}
}
