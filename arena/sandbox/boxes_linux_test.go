package sandbox_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/sandbox"
)

// An engine that requires a sandbox does not start where a part is missing;
// under auto it does, and the report names the part.
func TestRequire(t *testing.T) {
	engines := []arena.EngineSpec{{Name: "a", Command: []string{"sh"}, Sandbox: "require"}, {Name: "b", Command: []string{"sh"}, Sandbox: "off"}}
	boxes, report, err := sandbox.Boxes(engines)
	if err != nil || boxes["a"] == nil || boxes["b"] != nil || len(report.Missing()) > 0 {
		t.Fatalf("%v, %v, %v", boxes, report, err)
	}
	if os.Geteuid() != 0 {
		t.Skip("the rest needs a protection that root alone can switch off")
	}
	t.Setenv("THERA_CGROUP", "off")
	var missing *sandbox.MissingError
	if _, _, err := sandbox.Boxes(engines); !errors.As(err, &missing) || !strings.Contains(err.Error(), "a requires a sandbox, and this machine lacks: a limit of processes (limits: THERA_CGROUP is off)") {
		t.Errorf("%v", err)
	}
	engines[0].Sandbox = "auto"
	boxes, report, err = sandbox.Boxes(engines)
	if err != nil || boxes["a"] == nil || !strings.HasSuffix(report.String(), "; does not hold: a limit of processes (limits: THERA_CGROUP is off)") {
		t.Errorf("%v, %v, %v", boxes, report, err)
	}
}
