package sandbox

import "testing"

func TestOpen(t *testing.T) {
	h, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(h.Report())
}
