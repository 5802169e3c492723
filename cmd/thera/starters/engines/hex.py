#!/usr/bin/env python3
"""A small Hex bot: it plays where the two shortest connections cross.

The protocol is described by docs/hex.md in Thera's repository. The bot is started once for each
game, with its colour as the only argument. Replace `choose` by your own search. Check this
file with `thera check -- ./hex.py` and play it with `thera vs builtin ./hex.py --game hex`.
"""
import heapq
import sys

colour = sys.argv[1] if len(sys.argv) > 1 else "black"  # black joins row a to the last row
size, stones = 11, {}  # stones are {(row, column): "black" or "white"}
playouts = 10_000  # the most cells to look at for a move


def other(side):
    return "white" if side == "black" else "black"


def near(r, c):
    for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
        if 0 <= r + dr < size and 0 <= c + dc < size:
            yield r + dr, c + dc


def distances(side, far):
    """For each cell, how many stones side still needs to join it to one of its edges."""
    edge = size - 1 if far else 0
    cells = [(edge, i) if side == "black" else (i, edge) for i in range(size)]
    best, queue = {}, []
    for cell in cells:
        if stones.get(cell) != other(side):
            heapq.heappush(queue, (0 if cell in stones else 1, cell))
    while queue:
        d, cell = heapq.heappop(queue)
        if cell in best:
            continue
        best[cell] = d
        for n in near(*cell):
            if n not in best and stones.get(n) != other(side):
                heapq.heappush(queue, (d + (n not in stones), n))
    return best


def choose():
    """The empty cell on the shortest connections of both sides. Your search goes here."""
    maps = [distances(side, far) for side in (colour, other(colour)) for far in (False, True)]
    middle = (size - 1) / 2

    def cost(cell):
        mine, yours = [m.get(cell, 99) + n.get(cell, 99) for m, n in (maps[:2], maps[2:])]
        return mine + yours
    empty = [(r, c) for r in range(size) for c in range(size) if (r, c) not in stones]
    empty.sort(key=lambda cell: abs(cell[0] - middle) + abs(cell[1] - middle))
    return min(empty[:playouts], key=cost)


def name(cell):
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def cell_of(text):
    row, column = ord(text[0]) - ord("a"), int(text[1:]) - 1
    if not (0 <= row < size and 0 <= column < size):
        raise ValueError(f"{text} is off the board")
    return row, column


def do(command, words):
    global size, stones, colour, playouts
    if command == "init_board":
        size, stones = int(words[0]) if words else size, {}
    elif command == "make_move":
        cell = choose()
        stones[cell] = colour
        print(name(cell), flush=True)  # always flush
    elif command in ("seto", "sety"):
        stones[cell_of(words[0])] = colour if command == "sety" else other(colour)
    elif command == "unset":
        stones.pop(cell_of(words[0]), None)
    elif command == "swap":
        colour = other(colour)
    elif command == "option" and words[0] in ("playouts", "depth"):  # limits; every depth is kept
        playouts = int(words[1]) if words[0] == "playouts" else playouts
        print("ok", flush=True)
    elif command:
        raise ValueError(command)


for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "quit":
        break
    try:
        do(command, words)
    except (ValueError, IndexError) as err:
        print("error", flush=True)
        print(f"{line!r}: {err}", file=sys.stderr)
