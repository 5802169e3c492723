package rating

import (
	"math"
	"testing"
)

// The quantiles and probabilities are those of printed tables (Abramowitz and
// Stegun 26.10, and R's qt and pt for the further digits).
func TestStudent(t *testing.T) {
	for _, tt := range []struct{ freedom, want float64 }{
		{1, 12.706204736174694},
		{2, 4.302652729749462},
		{3, 3.182446305283709},
		{7, 2.364624251592785},
		{19, 2.093024054408263},
		{99, 1.984216951586417},
		{1000, 1.962339080826408},
		{math.Inf(1), 1.959963984540054},
		{0.2, 12.706204736174694},
	} {
		if got := T95(tt.freedom); math.Abs(got-tt.want) > 1e-12*tt.want {
			t.Errorf("quantile with %v degrees of freedom: %v, want %v", tt.freedom, got, tt.want)
		}
	}
	for _, tt := range []struct{ x, freedom, want float64 }{
		{0, 5, 0.5}, {1, 1, 0.75}, {-1, 1, 0.25}, {1, 2, 0.788675134594813}, {2, 3, 0.5 + (math.Atan(2/math.Sqrt(3))+2/math.Sqrt(3)/(1+4.0/3))/math.Pi}, {-3, 4.5, 1 - student(3, 4.5)}, {1e9, 3, 1},
	} {
		if got := student(tt.x, tt.freedom); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("distribution at %v with %v degrees of freedom: %v, want %v", tt.x, tt.freedom, got, tt.want)
		}
	}
	// The expansion continues the fraction.
	for _, x := range []float64{0.1, 1, 1.96, 3, 6} {
		less, more := student(x, manyFreedom), student(x, math.Nextafter(manyFreedom, 1e9))
		if math.Abs(less-more) > 1e-10 {
			t.Errorf("distribution at %v jumps from %v to %v", x, less, more)
		}
	}
}
