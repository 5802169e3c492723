package proc

import (
	"os"
	"slices"
	"testing"
)

func TestEnvironmentNamesOnce(t *testing.T) {
	arenas := []string{"HOME=/root", "TZ=old", "PATH=/bin", "LC_ALL=C"}
	got := environment(arenas, []string{"TZ=new", "B=1"})
	if want := []string{"HOME=/root", "PATH=/bin", "LC_ALL=C", "TZ=new", "B=1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if arenas[1] != "TZ=old" {
		t.Error("the arena's list was changed")
	}
}

// An engine gets what is listed and what it is given, and no secret.
func TestEnvironmentIsClean(t *testing.T) {
	arenas := []string{"API_TOKEN=hunter2", "PATH=/bin", "path=/x", "LC_TIME=C", "LCX=1", "GOMAXPROCS=3", "HOMEX=1", "=C:=x", "AWS_SECRET_ACCESS_KEY=x"}
	if got, want := environment(arenas, nil), []string{"PATH=/bin", "LC_TIME=C"}; os.PathSeparator == '/' && !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := environment(arenas, []string{"API_TOKEN=own"}); !slices.Contains(got, "API_TOKEN=own") || slices.Contains(got, "API_TOKEN=hunter2") {
		t.Errorf("got %q", got)
	}
}
