package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"thera/engine/gametest"
)

// patience bounds a wait in the browser; a busy machine needs some of it.
const patience = 5 * time.Minute

// chromium returns the path of a browser. Without one the test is skipped, but
// under CI=true it fails.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const text = "no chromium: the browser tests are not run (apt-get install chromium)"
	if os.Getenv("CI") == "true" {
		t.Fatal(text)
	}
	t.Skip(text)
	return ""
}

// browser is one tab with what went wrong in it.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu     sync.Mutex
	hosts  map[string]bool
	faults []string
}

func newBrowser(t *testing.T) *browser {
	path := chromium(t)
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.WSURLReadTimeout(patience)}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // chromium refuses to be root otherwise
	}
	ctx, cancel := chromedp.NewContext(t.Context(), chromedp.WithAllocatorOptions(options...))
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx, hosts: map[string]bool{}}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			b.console(m)
		}
	}()
	if err := chromedp.Listen(ctx, b.event); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	return b
}

// event keeps the hosts that pages asked.
func (b *browser) event(e any) {
	if r, ok := e.(*network.EventRequestWillBeSent); ok {
		if u, err := url.Parse(r.Request.URL); err == nil && u.Host != "" {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.hosts[u.Host] = true
		}
	}
}

// console keeps errors. A server that was killed is the one thing that a page may
// complain about, and a page that does not exist.
func (b *browser) console(m chromedp.ConsoleMessage) {
	bad := m.IsException() || m.Type == "error" || m.Type == "warning"
	if !bad || strings.Contains(m.Text, "net::ERR_") || strings.HasSuffix(m.URL, "/nowhere") {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = append(b.faults, m.String()+" "+m.URL)
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// value evaluates an expression.
func value[T any](b *browser, expression string, options ...chromedp.EvaluateOption) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		b.t.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

// until waits until an expression holds, also while other pages are loaded.
func (b *browser) until(expression string) {
	b.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(patience); ; {
		held, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if err == nil && held {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			body, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location.href + document.body.innerText"))
			b.t.Fatalf("%s: %v; the page says: %.1500s", expression, err, body)
		}
	}
}

// open opens a page and waits for a text in it.
func (b *browser) open(address, want string) {
	b.t.Helper()
	b.do(chromedp.Navigate(address))
	b.until(fmt.Sprintf("document.body && document.body.innerText.includes(%q)", want))
}

// reach opens a page again and again until it has a text.
func (b *browser) reach(address, want string) {
	b.t.Helper()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(patience); ; {
		b.do(chromedp.Navigate(address))
		if value[bool](b, fmt.Sprintf("document.body.innerText.includes(%q)", want)) {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			b.t.Fatalf("%s never has %q", address, want)
		}
	}
}

func (b *browser) click(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(selector)))
}

// live waits until a page gets events.
func (b *browser) live() {
	b.t.Helper()
	b.until(`document.getElementById("link").textContent === "live"`)
}

// overlaps finds labels of plots that overlap each other or are cut off.
const overlaps = `[...document.querySelectorAll("svg.plot")].flatMap((plot) => {
	const paper = plot.getBoundingClientRect();
	const labels = [...plot.querySelectorAll("text")].map((l) => ({text: l.textContent, at: l.getBoundingClientRect()}));
	return labels.flatMap((a, i) => [
		...(a.at.left < paper.left - 1 || a.at.right > paper.right + 1 ? [a.text + " is cut off"] : []),
		...labels.slice(i + 1).filter((b) => a.at.left < b.at.right - 1 && b.at.left < a.at.right - 1 && a.at.top < b.at.bottom - 3 && b.at.top < a.at.bottom - 3)
			.map((b) => a.text + " and " + b.text)]);
}).join("; ")`

// fits checks that a page needs no scrolling sideways, on a phone and on a screen,
// light and dark, and that axe-core finds nothing. Dark pages differ in their colours
// alone.
func (b *browser) fits(name string) {
	b.t.Helper()
	axe, err := os.ReadFile(filepath.Join("testdata", "axe", "axe.min.js"))
	if err != nil {
		b.t.Fatal(err)
	}
	value[string](b, string(axe)+`; axe.version`)
	var colours [2]string
	for i, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		colours[i] = value[string](b, "getComputedStyle(document.body).backgroundColor")
		rules := map[string]string{"light": "", "dark": `, runOnly: ["color-contrast"]`}[scheme]
		violations := value[string](b, `axe.run(document, {reporter: "no-passes"`+rules+`}).then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html + " " + n.failureSummary)])))`,
			chromedp.EvalAwaitPromise)
		if violations != "[]" {
			b.t.Errorf("%s, %s: axe: %s", name, scheme, violations)
		}
	}
	if colours[0] == colours[1] {
		b.t.Errorf("%s is %s in light and in dark", name, colours[0])
	}
	b.scheme("light")
	for _, width := range []int64{360, 390, 1440, 2400} {
		b.do(chromedp.EmulateViewport(width, 900))
		if over := value[float64](b, "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"); over > 0 {
			b.t.Errorf("%s is %g pixels too wide for %d", name, over, width)
		}
		if labels := value[string](b, overlaps); labels != "" {
			b.t.Errorf("%s, %d pixels wide: labels of a plot overlap or leave it: %s", name, width, labels)
		}
	}
	b.do(chromedp.EmulateViewport(1280, 900))
}

// scheme makes the browser prefer light or dark pages.
func (b *browser) scheme(name string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// A person watches a run to its end, opens a game, steps through it and looks up a
// fault, while servers die and pages are reloaded.
func TestBrowser(t *testing.T) {
	gametest.Sequential(t)
	t.Parallel()
	b := newBrowser(t)
	dir := t.TempDir()
	gate := filepath.Join(dir, "gate")
	match := fmt.Sprintf(`game: santorini
engines:
  - {name: gated, command: [gated, "3"], env: {GATE: %q}, sandbox: off}
  - {name: "<script>alert(1)</script>", builtin: true}
  - {name: crasher, command: crasher}
tournament: {format: gauntlet, rounds: 6}
openings: {gods: {list: [mortal, pan, artemis], matchups: all}, random_plies: 2}
limit: {depth: 1, max_move: 1h, start: 1h, sync: 1h}
`, gate)
	if err := os.WriteFile(filepath.Join(dir, "m.yaml"), []byte(match), 0o600); err != nil {
		t.Fatal(err)
	}
	run := start(t, dir, "run", "m.yaml", "--serve=127.0.0.1:0", "--db", "t.db")
	base := run.address

	// Another program follows the same run. It is killed and started again.
	// The address is one of this test alone: nobody takes its port in between.
	other := start(t, dir, "serve", "127.70.8.1:0", "--db", "t.db")
	b.reach(other.address, "m.yaml")
	b.open(other.address+"run/1", "m.yaml")
	b.live()
	if err := other.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
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
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b.until(`document.getElementById("link").textContent === "the run is over"`)
	if text := value[string](b, `document.getElementById("head").innerText`); !strings.Contains(text, "finished") {
		t.Errorf("at the end the page says %q", text)
	}
	run.await(t, "its page stays up at "+base)
	b.open(base+"run/1", "is better than")
	b.click(`a[href="/run/1/faults"]`)
	b.until(`location.pathname === "/run/1/faults"`)
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _ = run.Wait(); run.ProcessState.ExitCode() != exitFindings { // crasher never made a move
		t.Fatalf("%v: %s%s", run.ProcessState, &run.out, &run.err)
	}

	// What is stored is the same.
	base = again.address
	b.open(base+"run/1", "Ranking")
	b.fits("run")
	b.click(`a[href="/run/1/faults"]`)
	b.until(`location.pathname === "/run/1/faults" && document.body.innerText.includes("exited: 7")`)
	b.fits("faults")
	b.click(`td a[href^="/game/"]`)
	b.until(`location.pathname.startsWith("/game/") && document.body.innerText.includes("exited: 7")`)
	b.fits("a game with a fault")
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

	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		t.Errorf("in the browser: %s", fault)
	}
	for host := range b.hosts {
		if !strings.HasPrefix(host, "127.") {
			t.Errorf("a page asked %s", host)
		}
	}
	if err := again.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := again.Wait(); err != nil {
		t.Errorf("thera serve: %v: %s%s", err, &again.out, &again.err)
	}
}

// The answer of twelve engines is on one screen with all of them in the plot and in the
// crosstable; a knockout is a bracket. Both can be read on a phone.
func TestBrowserAnswers(t *testing.T) {
	gametest.Sequential(t)
	t.Parallel()
	b := newBrowser(t)
	dir := t.TempDir()
	for name, run := range map[string]struct {
		engines int
		format  string
		holds   []string // expressions
	}{
		"twelve": {12, "{format: round-robin, rounds: 1}", []string{
			`document.querySelector(".cross table").getBoundingClientRect().bottom <= innerHeight`,
			`document.querySelectorAll(".cross tbody tr").length === 12 && document.querySelectorAll(".cross tbody a").length === 132`,
		}},
		"cup": {8, "{format: knockout}", []string{
			`document.querySelectorAll(".bracket .match").length === 7 && document.querySelectorAll(".bracket .won").length === 7`,
			`document.querySelector(".bracket").getBoundingClientRect().bottom <= innerHeight`,
		}},
	} {
		match := "game: santorini\nengines:\n"
		for i := range run.engines {
			match += fmt.Sprintf("  - {name: engine with number %d, builtin: true}\n", i)
		}
		match += "tournament: " + run.format + "\nopenings: {random_plies: 4}\nlimit: {depth: 1, max_move: 1h, start: 1h, sync: 1h}\n"
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(match), 0o600); err != nil {
			t.Fatal(err)
		}
		program := start(t, dir, "run", name+".yaml", "--serve=127.0.0.1:0", "--db", name+".db")
		program.await(t, "its page stays up at")
		b.open(program.address+"run/1", "finished")
		b.do(chromedp.EmulateViewport(1440, 900))
		for _, expression := range append(run.holds,
			`document.querySelector(".verdict").getBoundingClientRect().bottom < document.querySelector("main svg, main table").getBoundingClientRect().top`) {
			if !value[bool](b, expression) {
				t.Errorf("%s: not %s", name, expression)
			}
		}
		for i := range run.engines {
			if label := fmt.Sprintf("engine with number %d", i); !value[bool](b, fmt.Sprintf(`[...document.querySelectorAll(".ratings-plot text")].some((l) => l.textContent === %q)`, label)) {
				t.Errorf("%s: %s is not in the plot", name, label)
			}
		}
		b.fits(name)
	}
}

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
	b.fits("report")
}
