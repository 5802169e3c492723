package proc

import (
	"os"
	"slices"
	"testing"
)

// An engine gets what is listed and what it is given, each name once, and no secret.
func TestEnvironmentIsClean(t *testing.T) {
	arenas := []string{"API_TOKEN=hunter2", "PATH=/bin", "path=/x", "LC_TIME=C", "LCX=1", "GOMAXPROCS=3", "TZ=old", "HOMEX=1", "=C:=x", "AWS_SECRET_ACCESS_KEY=x"}
	got, want := environment(arenas, []string{"TZ=new", "API_TOKEN=own"}), []string{"PATH=/bin", "LC_TIME=C", "TZ=new", "API_TOKEN=own"}
	if os.PathSeparator == '/' && !slices.Equal(got, want) || arenas[6] != "TZ=old" {
		t.Errorf("got %q, want %q", got, want)
	}
}
