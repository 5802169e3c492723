#!/usr/bin/env python3
"""A small Santorini engine for mortals: it looks one turn ahead.

The protocol is one line in, one line out; docs/santorini.md in Thera's repository
describes it. Replace `choose` by your own search. Check this file with
`thera check -- ./santorini.py` and play it with `thera vs builtin ./santorini.py`.
"""
import itertools
import json
import sys

SQUARES = ["ABCDE"[i % 5] + "54321"[i // 5] for i in range(25)]  # 0 is A5, 24 is E1
NEAR = [[j for j in range(25) if j != i and abs(j % 5 - i % 5) <= 1 and abs(j // 5 - i // 5) <= 1]
        for i in range(25)]


class Position:
    """The heights of 25 squares, whose turn it is, and two workers a side."""

    def __init__(self, text):
        heights, turn, *sides = text.split("/")
        self.over = "#" in text
        self.heights = [int(h) for h in heights]
        self.turn = int(turn) - 1
        self.gods, self.workers, self.squares = [], [], False
        for side in sides:
            god, _, workers = side.replace("#", "").partition(":")
            self.squares = self.squares or not workers[:1].isdigit()
            self.gods.append(god)
            self.workers.append([SQUARES.index(w) if w in SQUARES else int(w) for w in workers.split(",")])

    def text(self, heights, workers, turn, winner=None):
        """Write a position in the form in which the question was asked."""
        def side(i):
            mark = "#" if winner == i else ""
            names = ",".join(SQUARES[w] if self.squares else str(w) for w in sorted(workers[i]))
            return f"{mark}{self.gods[i]}:{names}" if self.squares else f"{self.gods[i]}{mark}:{names}"
        return f"{''.join(map(str, heights))}/{turn + 1}/{side(0)}/{side(1)}"

    def turns(self):
        """Yield every turn as (next state, actions, score)."""
        me, heights = self.turn, self.heights
        taken = set(self.workers[0] + self.workers[1])
        for worker in self.workers[me]:
            for to in NEAR[worker]:
                if to in taken or heights[to] > 3 or heights[to] > heights[worker] + 1:
                    continue
                workers = list(self.workers)
                workers[me] = [to if w == worker else w for w in workers[me]]
                name = SQUARES.__getitem__ if self.squares else int
                step = [{"type": "select_worker", "value": name(worker)}, {"type": "move_worker", "value": name(to)}]
                if heights[to] == 3 and heights[worker] < 3:  # a step up to level 3 wins, without a build
                    yield self.text(heights, workers, 1 - me, winner=me), step, 1000
                    continue
                for at in NEAR[to]:
                    if heights[at] > 3 or at in taken - {worker}:
                        continue
                    after = list(heights)
                    after[at] += 1
                    build = {"type": "build", "value": name(at)}
                    yield self.text(after, workers, 1 - me), step + [build], score(after, workers, me)


def score(heights, workers, me):
    """How good a position is for me, after my turn. Your evaluation goes here."""
    def side(i):
        return sum(3 * heights[w] + len([n for n in NEAR[w] if heights[n] <= heights[w] + 1]) / 4 for w in workers[i])
    taken = set(workers[0] + workers[1])
    threat = any(heights[n] == 3 and n not in taken for w in workers[1 - me] if heights[w] == 2 for n in NEAR[w])
    return side(me) - side(1 - me) - (500 if threat else 0)


def choose(position, nodes):
    """The best of the first turns; under a limit of nodes no more than so many are looked at."""
    return max(itertools.islice(position.turns(), nodes), key=lambda turn: turn[2], default=None)


def say(message):
    print(message if isinstance(message, str) else json.dumps(message), flush=True)  # always flush


def answer(command, words):
    """words are a position and limits, as `nodes 500`, `depth 2`, `movetime 0.1` or `final`."""
    text, *limits = words
    position = Position(text)
    if position.over:
        return
    best = choose(position, int(dict(zip(limits[::2], limits[1::2])).get("nodes", 10**6)))
    if command == "set_position" and best:
        # start_state is what was asked, byte for byte. The trigger end_of_line says that the
        # engine has finished; without it the referee waits until the time is over.
        say({"type": "best_move", "start_state": text, "next_state": best[0], "trigger": "end_of_line",
             "meta": {"calculated_depth": 1, "score": round(100 * best[2]), "actions": best[1]}})
    elif command == "next_moves":
        # A player without a turn loses: the only state has the opponent marked as the winner. With
        # indices the side to move changes there, with squares it does not.
        next_turn = position.turn if position.squares else 1 - position.turn
        blocked = position.text(position.heights, position.workers, next_turn, winner=1 - position.turn)
        turns = position.turns() if best else [(blocked, [{"type": "no_moves"}], 0)]
        say({"type": "next_moves", "start_state": text,
             "next_states": [{"next_state": state, "actions": actions} for state, actions, _ in turns]})


say({"type": "started", "features": ["limits"]})  # set_position may have limits
for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "quit":
        break
    elif command == "ping":
        say("pong")
    elif command == "set_option":
        say({"type": "error", "message": "this engine has no options"})
    elif command in ("set_position", "next_moves"):
        try:
            answer(command, words)
        except (ValueError, IndexError) as err:
            print(f"bad position {line!r}: {err}", file=sys.stderr)
    # stop needs no answer: this engine never thinks longer than it takes to answer.
