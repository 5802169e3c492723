#!/usr/bin/env python3
"""A small engine for Nine Men's Morris: it closes mills and looks one move ahead.

The protocol is like UCI in chess; docs/mill.md in Thera's repository describes it. Replace
`choose` by your own search. Check this file with `thera check -- ./mill.py` and play it
with `thera vs builtin ./mill.py --game mill`.
"""
import random
import sys

# Three rings of eight points, the inner ring first, each clockwise from its top middle.
POINTS = "d5 e5 e4 e3 d3 c3 c4 c5 d6 f6 f4 f2 d2 b2 b4 b6 d7 g7 g4 g1 d1 a1 a4 a7".split()
NEAR = [[] for _ in POINTS]
MILLS = []
for ring in range(3):
    for i in range(8):
        NEAR[8 * ring + i] += [8 * ring + (i + 1) % 8, 8 * ring + (i - 1) % 8]
    MILLS += [tuple(8 * ring + (i + k) % 8 for k in range(3)) for i in (1, 3, 5, 7)]
for i in (0, 2, 4, 6):  # the middles of the sides are joined across the rings
    MILLS.append((i, 8 + i, 16 + i))
    for a, b in ((i, 8 + i), (8 + i, 16 + i)):
        NEAR[a].append(b)
        NEAR[b].append(a)


class Position:
    def __init__(self, fen=None):
        fields = fen.split() if fen else ["********/********/********", "w", "p", "p"] + "0 9 0 9 0 0".split()
        self.board = ["wb"["O@".index(c)] if c in "O@" else None for c in fields[0].replace("/", "")]
        self.side, self.remove = fields[1], fields[3] == "r"
        self.hand = {"w": int(fields[5]), "b": int(fields[7])}

    def men(self, side):
        return [i for i, man in enumerate(self.board) if man == side]

    def other(self):
        return "b" if self.side == "w" else "w"

    def in_mill(self, at, side):
        return any(at in mill and all(self.board[i] == side for i in mill) for mill in MILLS)

    def moves(self):
        free = [i for i, man in enumerate(self.board) if man is None]
        if self.remove:
            men = self.men(self.other())  # men in mills are safe while there are others
            return ["x" + POINTS[i] for i in [m for m in men if not self.in_mill(m, self.other())] or men]
        if self.hand[self.side]:
            return [POINTS[i] for i in free]
        men = self.men(self.side)  # with three men left, a man flies anywhere
        return [f"{POINTS[a]}-{POINTS[b]}" for a in men for b in (free if len(men) == 3 else NEAR[a]) if b in free]

    def play(self, move):
        if move.startswith("x"):
            self.board[POINTS.index(move[1:])] = None
            self.remove = False
        else:
            *start, end = [POINTS.index(point) for point in move.split("-")]
            if start:
                self.board[start[0]] = None
            else:
                self.hand[self.side] -= 1
            self.board[end] = self.side
            self.remove = self.in_mill(end, self.side)
        if not self.remove:  # after a mill the same side removes a man first
            self.side = self.other()


def choose(moves, position):
    """The move that closes a mill, stops one, or frees most neighbours. Your search goes here."""
    def value(move):
        after = Position.__new__(Position)
        after.board, after.hand = list(position.board), dict(position.hand)
        after.side, after.remove = position.side, position.remove
        me, you = position.side, position.other()
        after.play(move)
        threats = sum(sum(after.board[i] == you for i in mill) == 2 and any(after.board[i] is None for i in mill)
                      for mill in MILLS)
        room = sum(after.board[n] is None for i in after.men(me) for n in NEAR[i])
        return 100 * after.remove - 20 * len(after.men(you)) - 10 * threats + room + random.random()
    return max(moves, key=value, default="-")


def position_of(words):
    """The position of `startpos moves ...` or `fen F moves ...`."""
    at = words.index("moves") if "moves" in words else len(words)
    position = Position(" ".join(words[1:at]) if words[0] == "fen" else None)
    for move in words[at + 1:]:
        position.play(move)
    return position


def say(text):
    print(text, flush=True)  # always flush


position = Position()
for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "uci":
        say("id name mill.py\nid author you\ninfo string limits time clock depth nodes\nuciok")
    elif command == "isready":
        say("readyok")
    elif command == "position":
        random.seed(line)  # the same answer to the same question, whatever was asked before
        try:
            position = position_of(words)
        except (ValueError, IndexError) as err:
            print(f"ignored {line!r}: {err}", file=sys.stderr)
    elif command == "go":  # all other limits are kept: one move ahead takes a millisecond
        nodes = int(words[words.index("nodes") + 1]) if "nodes" in words[:-1] else None
        moves = position.moves()[:nodes]
        say(f"info depth 1 nodes {len(moves)}\nbestmove {choose(moves, position)}")
    elif command == "quit":
        break
    # stop needs no answer: go was answered at once.
