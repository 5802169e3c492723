#!/usr/bin/env python3
"""A small Gyges engine: it wins if it can, and leaves no win if it can.

The protocol is UGI; docs/gyges.md in Thera's repository describes it. The engine always plays
player 1, from row 0 upwards: the referee turns the board for player 2. Replace `choose`
by your own search. Check this file with `thera check -- ./gyges.py` and play it with
`thera vs builtin ./gyges.py --game gyges`.
"""
import random
import sys
import time

START = "321123/000000/000000/000000/000000/321123"
MOST = 50_000  # the most nodes of a search: steps of a piece that are looked at
GOAL = 37  # player 2's goal; squares are 6 * row + column, row 0 is player 1's home


def layout(text):
    board = [int(c) for c in text.replace("/", "")]
    if len(board) != 36 or sum(v > 0 for v in board) != 12:
        raise ValueError("a layout has 36 squares and 12 pieces")
    return board


def turned(board):
    """The board as the opponent sees it."""
    return board[::-1]


def near(at):
    row, col = divmod(at, 6)
    return [at + d for d, ok in ((6, row < 5), (-6, row > 0), (1, col < 5), (-1, col > 0)) if ok]


def rows(board):
    return [r for r in range(6) if any(board[6 * r:6 * r + 6])]


def paths(board, at, steps, used, ends):
    """Adds to ends all squares where a piece that is at `at` can end. board lacks the piece."""
    global looked
    looked += 1
    for to in near(at) + ([GOAL] if at >= 30 and steps == 1 else []):
        edge = (min(at, to), max(at, to))
        if edge in used:
            continue  # no edge twice in a move
        if steps > 1:
            if board[to] == 0:
                paths(board, to, steps - 1, used | {edge}, ends)
        elif to == GOAL or board[to] == 0:
            ends.add((to, False))
        else:
            ends.add((to, True))  # replace the piece, or bounce off it:
            paths(board, to, board[to], used | {edge}, ends)


def moves(board):
    """All moves of player 1 as (start, end, drop or None); it wins if end is GOAL."""
    found = []
    highest = rows(board)[-1]  # pieces are never dropped behind the opponent's line
    for start in range(6 * rows(board)[0], 6 * rows(board)[0] + 6):
        if not board[start]:
            continue
        rest = list(board)
        rest[start] = 0
        ends = set()
        paths(rest, start, board[start], frozenset(), ends)
        for end, replaces in ends:
            if not replaces:
                found.append((start, end, None))
                continue
            free = [s for s in range(6 * highest + 6) if rest[s] == 0]
            found += [(start, end, drop) for drop in free]
    return found


def play(board, move):
    start, end, drop = move
    after = list(board)
    after[start] = 0
    if drop is not None:
        after[drop] = board[end] if end != start else 0
    after[end] = board[start]
    return after


def choose(board):
    """A winning move, or one after which the opponent cannot win at once. Your search goes here."""
    global looked
    looked = 0
    end_of_search = time.monotonic() + max_time / 4
    found = moves(board)
    for move in found:
        if move[1] == GOAL:
            return move
    random.shuffle(found)
    for move in found:
        if not any(end == GOAL for _, end, _ in moves(turned(play(board, move)))):
            return move
        if looked >= max_nodes or time.monotonic() > end_of_search:
            break
    return found[0] if found else None


def say(text):
    print(text, flush=True)  # always flush


def do(command, words):
    global board, max_time, max_nodes
    if command == "ugi":
        say("id name gyges.py\nid author you\noption maxTime\noption maxPly\noption maxNodes\nugiok")
    elif command == "isready":
        say("readyok")
    elif command == "setpos" and words:
        board = layout(START if words == ["start"] else words[-1])
        random.seed(words[-1])  # the same answer to the same question, whatever was asked before
    elif command == "setoption" and len(words) == 2 and words[0] == "maxTime":
        max_time = float(words[1])  # seconds for a move
    elif command == "setoption" and len(words) == 2 and words[0] == "maxNodes":
        max_nodes = min(int(words[1]), MOST)  # every maxPly is kept: one move ahead is the least
    elif command == "go":
        best = choose(board)
        say("bestmove " + ("null" if best is None else "|".join(str(n) for n in best if n is not None)))
    # stop needs no answer: the engine never looks at more than MOST nodes.


board, looked, max_nodes, max_time = layout(START), 0, MOST, 60.0
say("gyges.py")
for line in sys.stdin:
    command, *words = line.split() or [""]
    if command == "quit":
        break
    try:
        do(command, words)
    except ValueError as err:
        print(f"ignored {line!r}: {err}", file=sys.stderr)
