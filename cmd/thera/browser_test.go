package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"thera/engine/gametest"
)

// patience bounds a wait in the browser; a busy machine needs some of it.
const patience = 5 * time.Minute

// TestBrowser opens the pages in a browser, one after the other in one tab, which costs less than a browser for each.
func TestBrowser(t *testing.T) {
	gametest.Sequential(t)
	t.Parallel()
	b := newBrowser(t)
	for name, test := range map[string]func(*testing.T, *browser){
		"a run":   browseRun,
		"twelve":  browseTwelve,
		"evening": browseEvening,
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.do(chromedp.EmulateViewport(1280, 900))
			test(t, b)
			b.quiet()
		})
	}
}

// A person watches a run to its end, opens a game, steps through it and looks up a
// fault, while servers die and pages are reloaded.
func browseRun(t *testing.T, b *browser) {
	dir := t.TempDir()
	gate := filepath.Join(dir, "gate")
	match := fmt.Sprintf(`game: santorini
engines:
  - {name: gated, command: [gated, "3"], env: {GATE: %q}, sandbox: off}
  - {name: "<script>alert(1)</script>", builtin: true}
  - {name: crasher, command: crasher}
  - {name: cheat, command: cheat}
tournament: {format: gauntlet, rounds: 6}
openings: {gods: {list: [mortal, pan, artemis], matchups: all}, random_plies: 2}
limit: {depth: 1, max_move: 1h, start: 1h, sync: 1h}
`, gate)
	gametest.OK(t, os.WriteFile(filepath.Join(dir, "m.yaml"), []byte(match), 0o600))
	run := start(t, dir, "run", "m.yaml", "--serve=127.0.0.1:0", "--db", "t.db")
	base := run.address

	// Another program follows the same run. It is killed and started again.
	// The address is one of this test alone: nobody takes its port in between.
	other := start(t, dir, "serve", "127.70.8.1:0", "--db", "t.db")
	b.reach(other.address, "m.yaml")
	b.open(other.address+"run/1", "m.yaml")
	b.live()
	gametest.OK(t, other.Process.Signal(syscall.SIGKILL))
	_ = other.Wait()
	b.until(`document.getElementById("link").textContent.startsWith("connection lost")`)
	again := start(t, dir, "serve", "--db", "t.db", strings.TrimSuffix(strings.TrimPrefix(other.address, "http://"), "/"))
	b.live()

	// The program that plays shows its boards; its page is reloaded in the middle.
	b.open(base, "Runs")
	b.click(`a[href="/run/1"]`)
	b.until(`document.querySelectorAll("#boards svg").length > 0 && document.getElementById("link").textContent === "live"`)
	b.fits("live run")
	b.do(chromedp.Reload())
	b.until(`document.querySelectorAll("#boards svg").length > 0 && document.getElementById("link").textContent === "live"`)
	gametest.OK(t, os.WriteFile(gate, nil, 0o600))
	b.until(`document.getElementById("link").textContent === "the run is over"`)
	if text := value[string](b, `document.getElementById("head").innerText`); !strings.Contains(text, "finished") {
		t.Errorf("at the end the page says %q", text)
	}
	run.await(t, "its page stays up at "+base)
	b.open(base+"run/1", "is better than")
	b.click(`a[href="/run/1/faults"]`)
	b.until(`location.pathname === "/run/1/faults"`)
	gametest.OK(t, run.Process.Signal(os.Interrupt))
	if _ = run.Wait(); run.ProcessState.ExitCode() != exitFindings { // crasher never made a move
		t.Fatalf("%v: %s", run.ProcessState, run.said())
	}

	// What is stored is the same.
	base = again.address
	b.open(base+"run/1", "Ranking")
	b.fits("run")
	b.click(`a[href="/run/1/faults"]`)
	b.until(`location.pathname === "/run/1/faults" && document.body.innerText.includes("exited: 7")`)
	b.fits("faults")
	b.click(`td a[href^="/game/"]`)
	b.until(`location.pathname.startsWith("/game/") && !!document.querySelector(".refused")`)
	b.fits("a game with a refused turn")
	b.open(base+"run/1/games?void=1&engine=crasher", "exited: 7")
	b.click(`td a[href^="/game/"]`)
	b.until(`location.pathname.startsWith("/game/") && document.body.innerText.includes("exited: 7")`)
	for _, p := range []struct{ path, want string }{
		{"", "m.yaml"},
		{"run/1/games?engine=" + url.QueryEscape("<script>alert(1)</script>"), "reached level 3"},
		{"run/1/gods", "artemis"},
		{"nowhere", "there is no page"},
	} {
		b.open(base+p.path, p.want)
		b.fits(p.path)
	}
	b.steps(base)
	b.report(dir)

	gametest.OK(t, again.Process.Signal(os.Interrupt))
	if err := again.Wait(); err != nil {
		t.Errorf("thera serve: %v: %s", err, again.said())
	}
}

// The answer of twelve engines is on one screen with all of them in the plot and in the
// crosstable. It can be read on a phone.
func browseTwelve(t *testing.T, b *browser) {
	dir := t.TempDir()
	match := "game: santorini\nengines:\n"
	for i := range 12 {
		match += fmt.Sprintf("  - {name: engine with number %d, builtin: true, sandbox: off}\n", i)
	}
	match += "tournament: {format: round-robin, rounds: 1, pairs: false}\nopenings: {random_plies: 4}\nlimit: {depth: 1, max_move: 1h, start: 1h, sync: 1h}\n"
	gametest.OK(t, os.WriteFile(filepath.Join(dir, "twelve.yaml"), []byte(match), 0o600))
	program := start(t, dir, "run", "twelve.yaml", "--serve=127.0.0.1:0", "--db", "twelve.db")
	program.await(t, "its page stays up at")
	b.open(program.address+"run/1", "finished")
	b.do(chromedp.EmulateViewport(1440, 900))
	for _, expression := range []string{
		`document.querySelector(".cross table").getBoundingClientRect().bottom <= innerHeight`,
		`document.querySelectorAll(".cross tbody tr").length === 12 && document.querySelectorAll(".cross tbody a").length === 132`,
		verdictFirst,
	} {
		if !value[bool](b, expression) {
			t.Errorf("not %s", expression)
		}
	}
	for i := range 12 {
		if label := fmt.Sprintf("engine with number %d", i); !value[bool](b, fmt.Sprintf(`[...document.querySelectorAll(".ratings-plot text")].some((l) => l.textContent === %q)`, label)) {
			t.Errorf("%s is not in the plot", label)
		}
	}
	b.fits("the answer of twelve")
	b.do(chromedp.EmulateViewport(390, 900))
	over := value[float64](b, `document.querySelectorAll(".ranking-table td.left a").forEach((a) => a.textContent = "x".repeat(34));
		document.querySelectorAll(".ranking-table td:not(.left, :first-child)").forEach((td) => td.textContent = "100.0 %");
		((w) => w.scrollWidth - w.clientWidth)(document.querySelector(".ranking-table .wide"))`)
	if over > 0 {
		t.Errorf("a ranking with names of 34 letters is %g pixels too wide for 390", over)
	}
}

// verdictFirst holds on a page whose verdict is above all else.
const verdictFirst = `document.querySelector(".verdict").getBoundingClientRect().bottom < document.querySelector("main svg, main table").getBoundingClientRect().top`

// steps opens a game from the list and steps through it.
func (b *browser) steps(base string) {
	b.t.Helper()
	b.open(base+"run/1/games?engine="+url.QueryEscape("<script>alert(1)</script>"), "reached level 3")
	b.click(`td a[href^="/game/"]`)
	b.until(`!!document.querySelector("#steps input")`)
	last := strings.Fields(value[string](b, `document.getElementById("at").textContent`))[0]
	at := func(ply string) {
		b.t.Helper()
		b.until(fmt.Sprintf(`document.getElementById("at").textContent === %q`, ply+" of "+last))
	}
	at(last)
	boards := map[string]bool{}
	board := func() {
		boards[value[string](b, `document.getElementById("board").innerHTML`)] = true
	}
	press := func(name, want string) {
		b.t.Helper()
		b.do(chromedp.KeyEvent(name))
		at(want)
		board()
	}
	press(kb.Home, "0")
	press(kb.ArrowRight, "1")
	press(kb.ArrowRight, "2")
	press(kb.ArrowLeft, "1")
	press(kb.End, last)
	if len(boards) != 4 {
		b.t.Errorf("%d boards of 4 plies", len(boards))
	}
	value[any](b, `{ const s = document.querySelector("#steps input"); s.value = 2; s.dispatchEvent(new Event("input", {bubbles: true})); 1 }`)
	at("2")
	if ply := value[string](b, `location.search`); ply != "?ply=2" {
		b.t.Errorf("the address has %q", ply)
	}
	value[any](b, `document.querySelector('.graphs a[data-ply="3"]').dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}))`)
	at("3")
	press(kb.End, last)
	b.do(chromedp.KeyEvent(kb.ArrowLeft))
	b.until(`document.getElementById("at").textContent.split(" ")[0] < ` + last)
	b.click("#steps button") // autoplay goes to the end
	at(last)
	b.fits("game")
	b.do(chromedp.Reload())
	b.until(`!!document.querySelector("#steps input")`)
	at(last)
}

// report opens a report from a file and steps through a game of it.
func (b *browser) report(dir string) {
	b.t.Helper()
	file := filepath.Join(dir, "r.html")
	if status, _, errOut := thera("", "export", "--format", "html", "-o", file, "--games", "5", "--db", filepath.Join(dir, "t.db")); status != exitDone {
		b.t.Fatalf("status %d: %s", status, errOut)
	}
	b.open("file://"+file, "Ranking")
	b.click("details.replay:last-of-type summary")
	b.until(`document.querySelector("details.replay[data-ready] tr[data-ply]") !== null`)
	value[any](b, `document.activeElement.blur()`)
	b.do(chromedp.KeyEvent(kb.Home))
	b.until(`document.querySelector("details[open] [data-part=at]").textContent.startsWith("0 of")`)
}
