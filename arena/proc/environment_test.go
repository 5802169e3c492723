package proc

import (
	"slices"
	"testing"
)

func TestEnvironmentNamesOnce(t *testing.T) {
	inherited := []string{"HOME=/root", "A=old", "PATH=/bin", "AB=kept"}
	got := environment(inherited, []string{"A=new", "B=1"})
	if want := []string{"HOME=/root", "PATH=/bin", "AB=kept", "A=new", "B=1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if inherited[1] != "A=old" {
		t.Error("the inherited list was changed")
	}
}
