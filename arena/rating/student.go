package rating

import "math"

// T95 returns the 97.5 % quantile of Student's t distribution, for 95 % two-sided:
// 12.7 with 1 degree of freedom, 1.96 with infinitely many. There are at least 1.
func T95(freedom float64) float64 {
	if math.IsInf(freedom, 1) {
		return z95
	}
	freedom = max(freedom, 1)
	// The distribution function is concave above 0: from the left Newton's method
	// does not overshoot.
	t := z95
	for range 100 {
		step := (0.975 - student(t, freedom)) / studentDensity(t, freedom)
		t += step
		if math.Abs(step) < 1e-13*t {
			break
		}
	}
	return t
}

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// manyFreedom is where the expansion for many degrees of freedom has ten digits.
const manyFreedom = 1e5

// student is the cumulative distribution function of Student's t.
func student(t, freedom float64) float64 {
	switch {
	case t < 0:
		return 1 - student(-t, freedom)
	case freedom > manyFreedom: // Abramowitz and Stegun 26.7.8, to the first order
		return normal(t - t*(t*t+1)/(4*freedom))
	}
	return 1 - incompleteBeta(freedom/2, 0.5, freedom/(freedom+t*t), t*t/(freedom+t*t))/2
}

func studentDensity(t, freedom float64) float64 {
	return math.Exp(-(freedom+1)/2*math.Log1p(t*t/freedom)-logBeta(freedom/2, 0.5)) / math.Sqrt(freedom)
}

func logBeta(a, b float64) float64 {
	return lgamma(a) + lgamma(b) - lgamma(a+b)
}

// incompleteBeta is the regularized incomplete beta function at x, with y = 1-x: a
// continued fraction (Didonato and Morris 1992), evaluated from its front by the
// method of Lentz.
func incompleteBeta(a, b, x, y float64) float64 {
	switch {
	case x <= 0:
		return 0
	case y <= 0:
		return 1
	}
	if x > (a+1)/(a+b+2) {
		return 1 - incompleteBeta(b, a, y, x)
	}
	const tiny = 1e-300
	away := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/away(1-(a+b)*x/(a+1))
	sum := d
	for m := 1.0; m < 1e4; m++ {
		for _, term := range [2]float64{
			m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m)),
			-(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1)),
		} {
			c, d = away(1+term/c), 1/away(1+term*d)
			sum *= c * d
		}
		if math.Abs(c*d-1) < 1e-15 {
			break
		}
	}
	return math.Exp(a*math.Log(x)+b*math.Log(y)-logBeta(a, b)) * sum / a
}

// Heads is the probability that at least k of n coins show heads.
func Heads(k, n int) float64 {
	if k <= 0 {
		return 1
	}
	return incompleteBeta(float64(k), float64(n-k+1), 0.5, 0.5)
}

func lgamma(n float64) float64 {
	x, _ := math.Lgamma(n)
	return x
}
