// The one script of the pages: stepping through a game, and live updates. Every
// page shows its content without it.

const $ = (id) => document.getElementById(id);

// player steps through the plies of one game. frames(ply) promises the board and
// the caption of a ply.
function player(root, frames, address) {
  const last = Number(root.dataset.last);
  let at = Number(root.dataset.ply);
  let wanted = at;
  let timer = 0;
  const part = (name) => root.querySelector(`[id="${name}"], [data-part="${name}"]`);
  const steps = part("steps");

  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = 0;
  slider.max = last;
  slider.value = at;
  slider.setAttribute("aria-label", "ply");
  const play = document.createElement("button");
  play.type = "button";
  play.textContent = "Play";
  steps.append(play, slider);

  const mark = () => {
    for (const el of root.querySelectorAll("tr.now, a.now")) el.classList.remove("now");
    for (const el of root.querySelectorAll(`[data-ply="${at}"]`)) {
      if (el !== root) el.classList.add("now");
    }
    const box = root.querySelector(".moves");
    const row = box && box.querySelector("tr.now");
    if (row) box.scrollTop = row.offsetTop - box.clientHeight / 2;
  };

  async function show(ply) {
    wanted = Math.max(0, Math.min(last, ply));
    const asked = wanted;
    const frame = await frames(asked);
    if (asked !== wanted || !frame) return; // somebody was quicker
    at = asked;
    root.dataset.ply = at;
    part("board").innerHTML = frame.board;
    part("caption").innerHTML = frame.caption;
    part("at").textContent = `${at} of ${last}`;
    slider.value = at;
    mark();
    if (!address) return;
    part("back").href = `?ply=${Math.max(0, at - 1)}`;
    part("on").href = `?ply=${Math.min(last, at + 1)}`;
    history.replaceState(null, "", `?ply=${at}`);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  }

  function toggle() {
    if (timer) return stop();
    if (at === last) show(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      if (wanted === last) return stop();
      if (at === wanted) show(at + 1);
    }, 700);
  }

  const moves = { first: () => show(0), back: () => show(wanted - 1), on: () => show(wanted + 1), end: () => show(last) };
  root.addEventListener("click", (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return;
    const link = e.target.closest("a");
    if (!link) return;
    const step = moves[link.id || link.dataset.part];
    const ply = link.dataset.ply ?? link.closest("tr[data-ply]")?.dataset.ply;
    if (!step && ply === undefined) return;
    e.preventDefault();
    stop();
    if (step) step();
    else show(Number(ply));
  });
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  play.addEventListener("click", toggle);
  mark();
  return { show, stop, toggle, at: () => wanted, last };
}

// keys lets the keyboard step through a game.
function keys(of) {
  document.addEventListener("keydown", (e) => {
    const p = of();
    if (!p || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, select, textarea, button, summary")) return;
    const step = { ArrowRight: () => p.show(p.at() + 1), ArrowLeft: () => p.show(p.at() - 1), Home: () => p.show(0), End: () => p.show(p.last) }[e.key];
    if (step) {
      e.preventDefault();
      p.stop();
      step();
    } else if (e.key === " " && !e.target.closest("a")) {
      e.preventDefault();
      p.toggle();
    }
  });
}

// fetched returns frames of the server, a hundred at a time.
function fetched(game) {
  const size = 100;
  const chunks = new Map();
  return async (ply) => {
    const from = Math.floor(ply / size) * size;
    if (!chunks.has(from)) {
      chunks.set(from, fetch(`/game/${game}/frames?from=${from}`).then((r) => (r.ok ? r.json() : Promise.reject(new Error(r.statusText)))));
    }
    try {
      return (await chunks.get(from))[ply - from];
    } catch {
      chunks.delete(from); // the server may be back later
      location.search = `?ply=${ply}`;
    }
  };
}

// unpack reads what a report holds of a game: base64 of gzip of JSON.
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// packed makes a player of a game of a report.
async function packed(root) {
  const game = await unpack(root.querySelector("[data-frames]").dataset.frames);
  for (const name of ["moves", "graphs", "about"]) root.querySelector(`[data-part="${name}"]`).innerHTML = game[name];
  return player(root, async (ply) => game.frames[ply], false);
}

// follow keeps the parts of a run's page up to date.
function follow(address) {
  const link = $("link");
  const say = (text, kind) => {
    link.textContent = text;
    link.className = `link ${kind}`;
  };
  say("connecting", "");
  const events = new EventSource(address);
  events.addEventListener("open", () => say("live", "live"));
  events.addEventListener("error", () => {
    say(events.readyState === EventSource.CLOSED ? "the connection is closed: reload to see more" : "connection lost, trying again", "lost");
    if (events.readyState === EventSource.CLOSED) setTimeout(() => follow(address), 3000); // the server answered with an error
  });
  events.addEventListener("part", (e) => {
    const { part, html } = JSON.parse(e.data);
    const el = $(part);
    if (!el) return;
    const scrolled = [...el.querySelectorAll(".wide")].map((w) => w.scrollLeft);
    const open = new Set([...el.querySelectorAll("details[open]")].map((d) => d.dataset.name));
    el.innerHTML = html;
    el.querySelectorAll("details").forEach((d) => (d.open = open.has(d.dataset.name)));
    el.querySelectorAll(".wide").forEach((w, i) => (w.scrollLeft = scrolled[i] ?? 0));
  });
  events.addEventListener("over", () => {
    events.close();
    say("the run is over", "");
  });
}

if (document.body.dataset.stream) follow(document.body.dataset.stream);

const single = $("game");
if (single) {
  const p = player(single, fetched(single.dataset.game), true);
  keys(() => p);
}

// In a report there are many games; the one that was opened last has the keys.
let current;
for (const el of document.querySelectorAll("details.replay")) {
  el.addEventListener("toggle", async () => {
    const root = el.querySelector(".game");
    if (!el.open) {
      if (root.player) (await root.player).stop();
      return;
    }
    root.player ??= packed(root);
    current = await root.player;
    el.dataset.ready = "yes";
  });
}
if (document.querySelector("details.replay")) keys(() => current);
