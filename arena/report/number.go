package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"thera/arena/rating"
)

// none stands in tables for what is undefined.
const none = "-"

// signed is an Elo difference, "+12.3".
func signed(x *float64) string {
	if x == nil {
		return none
	}
	return zeroSign(fmt.Sprintf("%+.1f", *x))
}

// zeroSign makes "-0.0" and "+0.0" the same "0.0".
func zeroSign(text string) string {
	if strings.Trim(text, "+-0.") == "" {
		return strings.TrimLeft(text, "+-")
	}
	return text
}

// bar is the error bar of x: "±10.2", or "-9.8 +10.6" where it is lopsided;
// where only one bound is known, that bound: "> +215.9".
func bar(x, lo, hi *float64) string {
	switch {
	case lo == nil && hi == nil:
		return none
	case hi == nil:
		return "> " + signed(lo)
	case lo == nil:
		return "< " + signed(hi)
	case x == nil:
		return none
	}
	down, up := *x-*lo, *hi-*x
	if math.Abs(up-down) < 0.1 {
		return fmt.Sprintf("±%.1f", (up+down)/2)
	}
	return fmt.Sprintf("-%.1f +%.1f", down, up)
}

// eloBar is the error bar of a score's Elo. Where the score's own error gives
// none it is that of Wilson's interval.
func eloBar(s *Score) string {
	if s.EloLo != nil || s.EloHi != nil || s.BoundLo == nil || s.BoundHi == nil {
		return bar(s.Elo, s.EloLo, s.EloHi)
	}
	return bar(s.Elo, eloOf(s.BoundLo), eloOf(s.BoundHi))
}

func eloOf(score *float64) *float64 {
	if *score <= 0 || *score >= 1 {
		return nil
	}
	elo := rating.Elo(*score)
	return &elo
}

// games is a number of games in words.
func games[N int | int64](n N) string { return plural(n, "game") }

// plural is a count with its noun.
func plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// percent is a fraction as "53.1 %".
func percent(x *float64) string {
	if x == nil {
		return none
	}
	return fmt.Sprintf("%.1f %%", 100**x)
}

// share is a fraction as "53.1".
func share(x *float64) string {
	if x == nil {
		return none
	}
	return fmt.Sprintf("%.1f", 100**x)
}

// fixed shows x with the given number of digits after the point.
func fixed(x *float64, digits int) string {
	if x == nil {
		return none
	}
	return zeroSign(strconv.FormatFloat(*x, 'f', digits, 64))
}

// raw is the number as scripts read it, "" where it is undefined.
func raw(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', 10, 64)
}

func record(c rating.WDL) string { return fmt.Sprintf("%d-%d-%d", c.Wins, c.Draws, c.Losses) }

// span is a duration for people: "2h05m", "3m20s", "12s".
func span(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d >= time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}
