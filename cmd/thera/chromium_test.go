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
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"thera/engine/gametest"
)

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
	gametest.OK(t, chromedp.Listen(ctx, b.event))
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
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

// quiet checks that no page had an error, and that none asked another machine.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		b.t.Errorf("in the browser: %s", fault)
	}
	for host := range b.hosts {
		if !strings.HasPrefix(host, "127.") {
			b.t.Errorf("a page asked %s", host)
		}
	}
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
