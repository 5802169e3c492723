package santorini

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
)

func TestDraw(t *testing.T) {
	pos, err := New().Parse("0102104120001020100003010/1/selene[B3]:B3,D3/clio[1|D5,C3]:C4,C2")
	if err != nil {
		t.Fatal(err)
	}
	move := "1102104120001020100003010/2/selene[A4]:A4,D3/clio[1|D5,C3]:C4,C2"
	next, err := pos.Play(game.By(game.First, move))
	if err != nil {
		t.Fatal(err)
	}
	const want = `5 |< 1 >  1    ·    2*   1  
4 |<X·f>  ^   O1    2    ·  
3 |  ·  < · >  1*  X·    2  
2 |  ·    1   O·    ·    ·  
1 |  ·    3    ·    1    ·  
  +-------------------------
     A    B    C    D    E
X player 1: selene[A4]
O player 2: clio[1|D5,C3], to move
`
	last := game.By(game.First, move)
	if diff := cmp.Diff(want, next.Draw(last, false)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	coloured := next.Draw(last, true)
	if !strings.Contains(coloured, "\x1b[31mX·f\x1b[0m") {
		t.Errorf("no colour in %q", coloured)
	}
	plain := strings.NewReplacer("\x1b[31m", "", "\x1b[32m", "", "\x1b[34m", "", "\x1b[0m", "").Replace(coloured)
	if diff := cmp.Diff(want, plain); diff != "" {
		t.Errorf("without colours (-want +got):\n%s", diff)
	}
}
