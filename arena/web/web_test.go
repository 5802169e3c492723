package web

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/session"
	"thera/arena/store"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// evil is the name of an engine that tries to be a script.
const evil = `<script>alert(1)</script>"'&` + "\u202e"

func planOf(engines ...string) *arena.Plan {
	plan := &arena.Plan{
		Name: "trial <b>", File: "trial.yaml", Game: nim.New(), Limit: arena.Limit{Move: 1e9}, Seed: 1, Concurrency: 1,
		Format: arena.Format{Name: "round-robin", Rounds: 20, Pairs: true}, Openings: arena.Openings{},
	}
	for _, name := range engines {
		plan.Engines = append(plan.Engines, arena.EngineSpec{Name: name, Command: []string{"./" + name}})
	}
	return plan
}

// fixture is a server over a database with one run, in which evil lost games by
// faults.
type fixture struct {
	*Server
	db   *store.Store
	run  int64
	game string // any game
	bad  string // one with a fault
}

func newFixture(t *testing.T, opts Options) *fixture {
	t.Helper()
	return fixtureOf(t, opts, planOf("a", "b", evil))
}

func fixtureOf(t *testing.T, opts Options, plan *arena.Plan) *fixture {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"))
	gametest.OK(t, err)
	t.Cleanup(func() { db.Close() })
	workers := &arenatest.Workers{Strength: map[string]int{"a": 90, "b": 60, evil: 20}, Before: func(_ context.Context, _ int, job arena.Job) (*arena.Game, error) {
		if job.Pair != 3 || job.Pairing[1] != evil {
			return nil, nil
		}
		rec := arenatest.Fault(job, job.Seat(1), game.FaultCrashed)
		rec.Fault.Detail, rec.Detail = evil, evil+"\n"+evil
		rec.Moves, rec.Plies = []string{"1"}, []arena.Ply{{Seat: game.First, Score: 5, Scored: true}}
		rec.Stderr[job.Seat(1).Index()] = evil + "\nsecond line"
		rec.Tail[0] = []string{"> " + evil}
		return rec, nil
	}}
	result, err := (&session.Runner{Plan: plan, Store: db, Worker: workers.New}).Run(t.Context())
	gametest.OK(t, err)
	opts.Store = db
	opts.Game = func(*arena.RunInfo) (game.Game, error) { return nim.New(), nil }
	f := &fixture{Server: New(opts), db: db, run: result.Run.ID}
	for rec, err := range db.Games(t.Context(), result.Run.ID, false) {
		gametest.OK(t, err)
		if rec.Source == arena.Faulted {
			f.bad = rec.ID
		} else {
			f.game = rec.ID
		}
	}
	return f
}

// get asks for a page.
func (f *fixture) get(t *testing.T, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

// paths are all pages.
func (f *fixture) paths() []string {
	run := fmt.Sprintf("/run/%d", f.run)
	return []string{
		"/", run, run + "/games", run + "/games?faults=1&engine=a", run + "/games?result=draw&offset=100", run + "/faults",
		run + "/games?engine=%3Cscript%3Ealert(1)%3C%2Fscript%3E%22'&%E2%80%AE", "/game/" + f.game, "/game/" + f.game + "?ply=0",
		"/game/" + f.bad, "/nowhere", "/game/ffff", run + "/gods",
	}
}

// values are those of a form: nobody sees them, and they go back as they came.
var values = regexp.MustCompile(`value="[^"]*"`)

var eventAttribute = regexp.MustCompile(`(?i)<[^>]* (on[a-z]+|style)=`)

// Every page is HTML without anything inline, whatever the names of engines are,
// and JSON for those who ask.
func TestPagesAreSafe(t *testing.T) {
	f := newFixture(t, Options{})
	for _, path := range f.paths() {
		w := f.get(t, path, "Accept", "text/html,application/json")
		body := w.Body.String()
		if want := status(path); w.Code != want || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Errorf("%s: status %d, want %d, %s\n%s", path, w.Code, want, w.Header().Get("Content-Type"), body)
		}
		if csp := w.Header().Get("Content-Security-Policy"); csp != policy || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", path, csp)
		}
		if strings.Contains(body, "<script>") || strings.Contains(body, "alert(1)</script>") || eventAttribute.MatchString(body) {
			t.Errorf("%s: something inline: %q", path, eventAttribute.FindString(body))
		}
		if strings.Contains(values.ReplaceAllString(body, ""), "\u202e") {
			t.Errorf("%s: a mark that turns the direction of writing", path)
		}
		if strings.Contains(body, "//") && regexp.MustCompile(`(src|href)="(https?:)?//`).MatchString(body) {
			t.Errorf("%s: another host", path)
		}
		w = f.get(t, path, "Accept", "application/json,text/html")
		if w.Header().Get("Content-Type") != "application/json" || !json.Valid(w.Body.Bytes()) || w.Code != status(path) {
			t.Errorf("%s: status %d, JSON %.200s", path, w.Code, w.Body)
		}
	}
}

func status(path string) int {
	if path == "/nowhere" || path == "/game/ffff" || strings.HasSuffix(path, "/gods") {
		return http.StatusNotFound
	}
	return http.StatusOK
}

// The pages have the figures of the command line.
func TestFiguresAreThoseOfTheReport(t *testing.T) {
	f := newFixture(t, Options{})
	var answer struct {
		Run    arena.RunInfo
		Report struct {
			Games   int
			Engines []struct{ Name string }
		}
	}
	run := fmt.Sprintf("/run/%d", f.run)
	gametest.OK(t, json.Unmarshal(f.get(t, run, "Accept", "application/json").Body.Bytes(), &answer))
	if answer.Run.Games != 120 || answer.Report.Games != 120 || answer.Report.Engines[0].Name != "a" {
		t.Errorf("%+v", answer.Run)
	}
	var list struct {
		Total int
		Games []arena.GameLine
	}
	gametest.OK(t, json.Unmarshal(f.get(t, run+"/games?faults=1", "Accept", "application/json").Body.Bytes(), &list))
	if list.Total != 4 || len(list.Games) != 4 || list.Games[0].Fault.Engine != evil {
		t.Errorf("faults %+v", list)
	}
	for query, want := range map[string]int{"": 100, "?offset=100": 20} {
		if n := strings.Count(f.get(t, run+"/games"+query).Body.String(), `<a href="/game/`); n != want {
			t.Errorf("%d games in the list%s, want %d", n, query, want)
		}
	}
	if list := f.get(t, run+"/games?offset=1").Body.String(); !strings.Contains(list, `games?offset=101"`) {
		t.Errorf("no way to the rest: %s", list)
	}
	sent, v := f.changes(t.Context(), f.run, map[string]string{}, false)
	if !v.over || !strings.Contains(sent, lastPart) || !strings.HasSuffix(sent, "event: over\ndata: {}\n\n") {
		t.Errorf("a listener of a run that nobody plays is sent %s", sent)
	}
	if got := chosen(10, []int{6, 8, 9}, 4); !slices.Equal(got, []int{0, 4, 6, 8}) {
		t.Errorf("a report has the games %v", got)
	}
	shown := f.get(t, "/game/"+f.bad).Body.String()
	for _, want := range []string{"second line", "&lt;script&gt;alert(1)&lt;/script&gt;", "crashed", "About the fault"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page of a fault has no %q", want)
		}
	}
}

// Steps through a game: each ply has a page, and the script gets them all.
func TestGameByPly(t *testing.T) {
	f := newFixture(t, Options{})
	var g struct {
		States []string
		Turns  []turn
	}
	gametest.OK(t, json.Unmarshal(f.get(t, "/game/"+f.game, "Accept", "application/json").Body.Bytes(), &g))
	if len(g.States) != len(g.Turns)+1 || len(g.Turns) == 0 {
		t.Fatalf("%d states, %d turns", len(g.States), len(g.Turns))
	}
	var frames []frameJSON
	gametest.OK(t, json.Unmarshal(f.get(t, "/game/"+f.game+"/frames").Body.Bytes(), &frames))
	for ply, state := range g.States {
		page := f.get(t, fmt.Sprintf("/game/%s?ply=%d", f.game, ply)).Body.String()
		if !strings.Contains(page, frames[ply].Board) || !strings.Contains(frames[ply].Board, ">"+state+"</text>") {
			t.Errorf("ply %d has no board of %q", ply, state)
		}
		if ply > 0 && !strings.Contains(frames[ply].Caption, fmt.Sprintf("%d. %s", ply, g.Turns[ply-1].Words)) {
			t.Errorf("ply %d: caption %s", ply, frames[ply].Caption)
		}
	}
	if w := f.get(t, "/run/1/games?result=foo"); w.Code != http.StatusBadRequest {
		t.Errorf("an unknown result: status %d", w.Code)
	}
	for _, bad := range []string{"?ply=-1", "?ply=999", "?ply=x", "/frames?from=-1"} {
		if w := f.get(t, "/game/"+f.game+bad); w.Code != http.StatusBadRequest {
			t.Errorf("%s: status %d", bad, w.Code)
		}
	}
}

func TestWhoMayCome(t *testing.T) {
	f := newFixture(t, Options{Hosts: []string{"lab.example"}})
	for host, want := range map[string]int{
		"localhost:8080": 200, "127.0.0.1:8080": 200, "127.8.9.1": 200, "[::1]:8080": 200, "lab.example:1": 200, "LOCALHOST": 200,
		"evil.example": 403, "evil.example:8080": 403, "192.168.1.7:8080": 403, "": 403, "localhost.evil.example": 403,
	} {
		if w := f.get(t, "/", "Host", host); w.Code != want {
			t.Errorf("Host %q: status %d, want %d", host, w.Code, want)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, "PATCH", http.MethodOptions, "TRACE"} {
		r := httptest.NewRequest(method, "http://localhost/", nil)
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", method, w.Code)
		}
	}
}

func TestToken(t *testing.T) {
	f := newFixture(t, Options{Token: "secret"})
	for _, tt := range []struct {
		path, header, value string
		want                int
	}{
		{"/", "", "", 401},
		{"/static/style.css", "", "", 401},
		{"/?token=wrong", "", "", 401},
		{"/", "Authorization", "Bearer wrong", 401},
		{"/", "Authorization", "Bearer secret", 200},
		{"/", "Cookie", "thera_token=secret", 200},
		{"/", "Cookie", "thera_token=", 401},
		{"/run/1/events", "", "", 401},
	} {
		if w := f.get(t, tt.path, "Host", "192.168.1.7:8080", tt.header, tt.value); w.Code != tt.want {
			t.Errorf("%s, %s %s: status %d, want %d", tt.path, tt.header, tt.value, w.Code, tt.want)
		}
	}
	w := f.get(t, "//other.example/games?token=secret&x=1", "Host", "192.168.1.7")
	cookie := w.Header().Get("Set-Cookie")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/other.example/games?x=1" || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
		t.Errorf("status %d, to %s with %s", w.Code, w.Header().Get("Location"), cookie)
	}
}

// The page of a run begins with the answer: a sentence that says who is better, before all
// tables, plots and boards. All engines are in the crosstable, whose cells lead to their games.
func TestRunBeginsWithTheAnswer(t *testing.T) {
	engines := []string{"a", "b", evil}
	for i := range 9 {
		engines = append(engines, fmt.Sprintf("more%d", i))
	}
	plan := planOf(engines...)
	plan.Format.Rounds = 2
	f := fixtureOf(t, Options{}, plan)
	body := f.get(t, fmt.Sprintf("/run/%d", f.run)).Body.String()
	_, text, _ := strings.Cut(body, `<p class="verdict">`)
	text, _, _ = strings.Cut(text, "</p>")
	text = html.UnescapeString(strings.NewReplacer("<b>", "", "</b>", "").Replace(text))
	if !regexp.MustCompile(`^(It is not clear whether )?a is better than b: \+[0-9.]+ Elo \(95 %: .* to .*; 264 games .*\)\.$`).MatchString(text) {
		t.Errorf("the verdict is %q", text)
	}
	main, verdict := strings.Index(body, "<main"), strings.Index(body, `class="verdict"`)
	for _, part := range []string{"<table", "<svg", "<details", "<ul"} {
		if at := main + strings.Index(body[main:], part); at < verdict {
			t.Errorf("%s comes before the verdict", part)
		}
	}
	cells := regexp.MustCompile(`<td class="s[0-4]"><a href="(/run/\d+/games\?engine=[^"&]*&amp;against=[^"]*)">`).FindAllStringSubmatch(body, -1)
	if len(cells) != 12*11 {
		t.Errorf("the crosstable has %d cells with links, want %d", len(cells), 12*11)
	}
	for _, found := range cells {
		var list struct{ Total int }
		if err := json.Unmarshal(f.get(t, html.UnescapeString(found[1]), "Accept", "application/json").Body.Bytes(), &list); err != nil || list.Total != 4 {
			t.Errorf("%s has %d games, want 4 (%v)", found[1], list.Total, err)
		}
	}
}
