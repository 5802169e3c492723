package report

import (
	"fmt"
	"io"
	"strings"
)

// viridis is the colour map of that name (Smith and van der Walt, 2015) at equal
// steps from 0 to 1.
var viridis = [...][3]float64{
	{68, 1, 84},
	{71, 19, 101},
	{72, 36, 117},
	{70, 52, 128},
	{65, 68, 135},
	{59, 82, 139},
	{52, 96, 141},
	{46, 110, 142},
	{41, 122, 142},
	{36, 135, 142},
	{32, 147, 140},
	{31, 160, 136},
	{40, 174, 128},
	{61, 188, 116},
	{94, 201, 98},
	{132, 212, 75},
	{173, 220, 48},
	{216, 226, 25},
	{253, 231, 37},
}

// colour returns viridis at x, from 0 to 1, and whether text on it should be
// dark.
func colour(x float64) (hex string, dark bool) {
	x = min(max(x, 0), 1) * float64(len(viridis)-1)
	i := min(int(x), len(viridis)-2)
	part := x - float64(i)
	var c [3]float64
	for k := range c {
		c[k] = viridis[i][k] + part*(viridis[i+1][k]-viridis[i][k])
	}
	return fmt.Sprintf("#%02x%02x%02x", int(c[0]+.5), int(c[1]+.5), int(c[2]+.5)), 0.299*c[0]+0.587*c[1]+0.114*c[2] > 128
}

// HeatMap writes the matrix of roles as SVG. Colours go from 0 to 100 %; each
// cell shows its score, and its tooltip the bounds and the number of games.
func (r *Report) HeatMap(w io.Writer) error {
	if len(r.Matrix) == 0 {
		return fmt.Errorf("run %s: a heat map needs games between two roles", r.Run)
	}
	const side, top = 34, 24
	label := 0
	for _, role := range r.Roles {
		label = max(label, len([]rune(role.Name)))
	}
	margin := 7*label + 12
	size := side * len(r.Roles)
	var b strings.Builder
	width, height := margin+size+side, top+margin+size+44
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<text x="8" y="16" font-size="13">%s: score of the row against the column, %% (%d games)</text>`+"\n", escapeXML(r.Run), r.Games)
	x0, y0 := margin, top+margin
	for i, role := range r.Roles {
		name := escapeXML(role.Name)
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", x0-6, y0+i*side+side/2+4, name)
		x, y := x0+i*side+side/2+4, y0-6
		fmt.Fprintf(&b, `<text x="%d" y="%d" transform="rotate(-90 %d %d)">%s</text>`+"\n", x, y, x, y, name)
	}
	at := map[string]int{}
	for i, role := range r.Roles {
		at[role.Name] = i
	}
	for i := range r.Matrix {
		c := &r.Matrix[i]
		if c.Score == nil {
			continue
		}
		x, y := x0+at[c.Col]*side, y0+at[c.Row]*side
		fill, dark := colour(*c.Score)
		ink := "white"
		if dark {
			ink = "black"
		}
		fmt.Fprintf(&b, `<g><title>%s - %s: %s (%s to %s) in %s</title><rect x="%d" y="%d" width="%d" height="%d" fill="%s"/><text x="%d" y="%d" fill="%s" text-anchor="middle">%.0f</text></g>`+"\n",
			escapeXML(c.Row), escapeXML(c.Col), percent(c.Score), share(c.Lo), percent(c.Hi), games(c.Games),
			x, y, side-1, side-1, fill, x+side/2, y+side/2+4, ink, 100**c.Score)
	}
	// The scale.
	y := y0 + size + 14
	for i := range 20 {
		fill, _ := colour((float64(i) + .5) / 20)
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="8" height="10" fill="%s"/>`+"\n", x0+8*i, y, fill)
	}
	for i, word := range []string{"0", "50", "100 %"} {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", x0+80*i, y+24, word)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
