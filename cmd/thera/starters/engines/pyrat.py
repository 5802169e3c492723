#!/usr/bin/env python3
"""A small PyRat AI: it walks to the cheese that it reaches first.

docs/pyrat.md in Thera's repository describes the protocol. Replace `choose` by your own search.
Check this file with `thera check -- ./pyrat.py` and play it with
`thera vs builtin ./pyrat.py --game pyrat`.
"""
import heapq
import re
import sys

GREETING = """id name pyrat.py
id author you
option name Playouts type spin default 0 min 0 max 100000000
option name Depth type spin default 0 min 0 max 100
pyratready"""
STEPS = {"UP": (0, 1), "DOWN": (0, -1), "LEFT": (-1, 0), "RIGHT": (1, 0)}  # (0,0) is bottom left


class Game:
    def __init__(self):
        self.height = self.width = 0
        self.walls, self.mud, self.cheese = set(), {}, set()
        self.at = {"rat": (0, 0), "python": (0, 0)}
        self.stuck = {"rat": None, "python": None}  # [turns left, cell behind the mud]
        self.me = "rat"

    def read(self, command, text):
        """Take one line of the maze."""
        cells = [tuple(map(int, pair)) for pair in re.findall(r"\((\d+),(\d+)\)", text)]
        edges = [frozenset(pair) for pair in zip(cells[::2], cells[1::2])]
        if command == "maze":
            self.height, self.width = map(int, re.findall(r":(\d+)", text))
        elif command == "walls":
            self.walls = set(edges)
        elif command == "mud":
            self.mud = dict(zip(edges, map(int, re.findall(r"\):(\d+)", text))))
        elif command == "cheese":
            self.cheese = set(cells)
        elif command in ("player1", "player2"):
            self.at[text.split()[0]] = cells[0]
        elif command == "current_position":
            self.at["rat"], self.at["python"] = cells
        elif command == "youare":
            self.me = text.strip()

    def near(self, cell):
        """Yield (direction, neighbour, turns that the step takes)."""
        for move, (dx, dy) in STEPS.items():
            to = (cell[0] + dx, cell[1] + dy)
            edge = frozenset((cell, to))
            if 0 <= to[0] < self.width and 0 <= to[1] < self.height and edge not in self.walls:
                yield move, to, self.mud.get(edge, 0) + 1

    def turn(self, moves):
        """Take a turn that was played: a player in mud has STAY until it arrives."""
        for who, move in moves:
            if self.stuck[who]:
                self.stuck[who][0] -= 1
                if self.stuck[who][0] == 0:
                    self.at[who], self.stuck[who] = self.stuck[who][1], None
                continue
            for step, to, turns in self.near(self.at[who]):
                if step == move and turns == 1:
                    self.at[who] = to
                elif step == move:
                    self.stuck[who] = [turns - 1, to]
        for who in self.at:
            if not self.stuck[who]:
                self.cheese.discard(self.at[who])


def choose(game, playouts):
    """The first step to the nearest cheese (Dijkstra: mud takes turns). Your search goes here.

    Under a limit of nodes it looks at no more cells than that, and goes where it was looking last."""
    queue, seen = [(0, game.at[game.me], "STAY")], set()
    while queue:
        turns, cell, first = heapq.heappop(queue)
        if cell in seen:
            continue
        seen.add(cell)
        if cell in game.cheese or len(seen) == playouts:
            return first
        for move, to, cost in game.near(cell):
            heapq.heappush(queue, (turns + cost, to, move if first == "STAY" else first))
    return "STAY"


def say(text):
    print(text, flush=True)  # always flush


def do(command, text):
    global game, first, playouts
    if command == "pyrat":
        say(GREETING)
    elif command == "isready":
        say("readyok")
    elif command == "ready?":
        say("ready")
    elif command in ("newgame", "recover"):
        game, first = Game(), command == "newgame"
    elif command == "moves":
        if not first:  # the first line of a game, STAY STAY, is not a turn
            game.turn(re.findall(r"(rat|python):(\w+)", text))
        first = False
    elif command in ("startpreprocessing", "startpostprocessing"):
        say(command.replace("start", "") + "done")
    elif command == "go":
        say("move " + choose(game, playouts))
    elif command == "setoption":  # `name Playouts value 500`: 0 is no limit; every Depth is kept
        _, name, _, value = text.split()
        playouts = int(value) if name == "Playouts" else playouts
    else:
        game.read(command, text)
    # stop needs no answer: go was answered at once. There is no quit: the referee ends the process.


game, first, playouts = Game(), True, 0
for line in sys.stdin:
    command, _, text = line.strip().partition(" ")
    try:
        do(command, text)
    except (ValueError, IndexError, KeyError) as err:
        print(f"ignored {line!r}: {err}", file=sys.stderr)
