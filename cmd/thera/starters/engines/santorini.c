/* A small Santorini engine for mortals: it looks one turn ahead.
 *
 * The protocol is one line in, one line out; docs/santorini.md in Thera's repository describes
 * it. Replace `score` and `answer` by your own search. Build this file with
 * `cc -O2 -o santorini santorini.c`, check it with `thera check -- ./santorini` and play it
 * with `thera vs builtin ./santorini`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int heights[25]; /* 0 is A5, 24 is E1 */
    int turn;        /* 0 or 1 */
    int workers[2][2];
    int winner;      /* -1: none */
} Position;

static char gods[2][32];
static int squares; /* the question names squares as A5, not as 0 */

static int near(int a, int b) { return a != b && abs(a % 5 - b % 5) <= 1 && abs(a / 5 - b / 5) <= 1; }

static const char *name(int at) {
    static char text[4][4];
    static int next;
    char *t = text[next++ % 4];
    if (squares) sprintf(t, "%c%d", 'A' + at % 5, 5 - at / 5);
    else sprintf(t, "%d", at);
    return t;
}

static int taken(const Position *p, int at) {
    return p->workers[0][0] == at || p->workers[0][1] == at || p->workers[1][0] == at || p->workers[1][1] == at;
}

/* parse reads a position; 0 if it is not one. */
static int parse(Position *p, const char *text) {
    char side[2][64], heights[26], turn;
    if (sscanf(text, "%25[0-4]/%c/%63[^/]/%63[^/\r\n ]", heights, &turn, side[0], side[1]) != 4) return 0;
    if (strlen(heights) != 25 || (turn != '1' && turn != '2')) return 0;
    p->winner = -1;
    p->turn = turn - '1';
    for (int i = 0; i < 25; i++) p->heights[i] = heights[i] - '0';
    for (int s = 0; s < 2; s++) {
        char *mark = strchr(side[s], '#'), worker[2][4];
        if (mark) {
            p->winner = s;
            memmove(mark, mark + 1, strlen(mark));
        }
        if (sscanf(side[s], "%31[^:]:%3[^,],%3s", gods[s], worker[0], worker[1]) != 3) return 0;
        for (int w = 0; w < 2; w++) {
            const char *t = worker[w];
            squares = t[0] >= 'A' && t[0] <= 'E';
            p->workers[s][w] = squares ? 5 * ('5' - t[1]) + t[0] - 'A' : atoi(t);
            if (p->workers[s][w] < 0 || p->workers[s][w] > 24) return 0;
        }
    }
    return 1;
}

/* text writes a position in the form in which the question was asked. */
static void text(const Position *p, char *out) {
    for (int i = 0; i < 25; i++) *out++ = (char)('0' + p->heights[i]);
    out += sprintf(out, "/%d", p->turn + 1);
    for (int s = 0; s < 2; s++) {
        int a = p->workers[s][0], b = p->workers[s][1];
        const char *mark = p->winner == s ? "#" : "";
        out += sprintf(out, "/%s%s%s:%s,%s", squares ? mark : "", gods[s], squares ? "" : mark, name(a < b ? a : b), name(a < b ? b : a));
    }
}

/* score says how good a position is for me, after my turn. Your evaluation goes here. */
static int score(const Position *p, int me) {
    int total = 0;
    if (p->winner == me) return 1000;
    for (int s = 0; s < 2; s++)
        for (int w = 0; w < 2; w++) {
            int at = p->workers[s][w], sign = s == me ? 1 : -1;
            total += sign * 12 * p->heights[at];
            for (int to = 0; to < 25; to++) {
                if (!near(at, to)) continue;
                if (p->heights[to] <= p->heights[at] + 1) total += sign;
                if (s != me && p->heights[at] == 2 && p->heights[to] == 3 && !taken(p, to)) total -= 500;
            }
        }
    return total;
}

static char best[200], best_actions[200];
static int best_score, count, listing, nodes; /* nodes: the most turns to look at */

/* found takes one turn: it prints it for next_moves and keeps the best for set_position. */
static void found(const Position *after, int me, int from, int to, int build) {
    char state[200], actions[200], *a = actions;
    const char *q = squares ? "\"" : "";
    if (count == nodes) return;
    text(after, state);
    a += sprintf(a, "{\"type\":\"select_worker\",\"value\":%s%s%s},{\"type\":\"move_worker\",\"value\":%s%s%s}", q, name(from), q, q, name(to), q);
    if (build >= 0) sprintf(a, ",{\"type\":\"build\",\"value\":%s%s%s}", q, name(build), q);
    if (listing) printf("%s{\"next_state\":\"%s\",\"actions\":[%s]}", count ? "," : "", state, actions);
    if (count++ == 0 || score(after, me) > best_score) {
        best_score = score(after, me);
        strcpy(best, state);
        strcpy(best_actions, actions);
    }
}

static void turns(const Position *p) {
    int me = p->turn;
    count = 0;
    for (int w = 0; w < 2; w++)
        for (int from = p->workers[me][w], to = 0; to < 25; to++) {
            if (!near(from, to) || taken(p, to) || p->heights[to] > 3 || p->heights[to] > p->heights[from] + 1) continue;
            Position next = *p;
            next.workers[me][w] = to;
            next.turn = 1 - me;
            if (p->heights[to] == 3 && p->heights[from] < 3) { /* a step up to level 3 wins, without a build */
                next.winner = me;
                found(&next, me, from, to, -1);
                continue;
            }
            for (int at = 0; at < 25; at++) {
                if (!near(to, at) || taken(&next, at) || p->heights[at] > 3) continue;
                Position after = next;
                after.heights[at]++;
                found(&after, me, from, to, at);
            }
        }
}

static void answer(Position *p, const char *asked) {
    if (p->winner >= 0) return; /* the game is over */
    if (listing) printf("{\"type\":\"next_moves\",\"start_state\":\"%s\",\"next_states\":[", asked);
    turns(p);
    if (listing && count == 0) {
        /* A player without a turn loses: the only state has the opponent marked as the winner.
         * With indices the side to move changes there, with squares it does not. */
        p->winner = 1 - p->turn;
        if (!squares) p->turn = 1 - p->turn;
        text(p, best);
        printf("{\"next_state\":\"%s\",\"actions\":[{\"type\":\"no_moves\"}]}", best);
    }
    if (listing) printf("]}\n");
    /* start_state is what was asked, byte for byte. The trigger end_of_line says that the engine
     * has finished; without it the referee waits until the time is over. */
    else if (count)
        printf("{\"type\":\"best_move\",\"start_state\":\"%s\",\"next_state\":\"%s\",\"trigger\":\"end_of_line\","
               "\"meta\":{\"calculated_depth\":1,\"score\":%d,\"actions\":[%s]}}\n", asked, best, best_score, best_actions);
}

int main(void) {
    static char line[1 << 16];
    Position p;
    setvbuf(stdout, NULL, _IOLBF, 1 << 16); /* flush every line */
    printf("{\"type\":\"started\",\"features\":[\"limits\"]}\n"); /* set_position may have limits */
    while (fgets(line, sizeof line, stdin)) {
        char *asked = strchr(line, ' ');
        line[strcspn(line, "\r\n")] = 0;
        if (asked) { /* a position, and limits such as `nodes 500`: one turn ahead keeps all others */
            char *limit = strstr(asked, " nodes ");
            nodes = limit ? atoi(limit + 7) : 1000000;
            *asked++ = 0;
            asked[strcspn(asked, " ")] = 0;
        }
        listing = !strcmp(line, "next_moves");
        if (!strcmp(line, "quit")) break;
        if (!strcmp(line, "ping")) printf("pong\n");
        else if (!strcmp(line, "set_option"))
            printf("{\"type\":\"error\",\"message\":\"this engine has no options\"}\n");
        else if (asked && (listing || !strcmp(line, "set_position"))) {
            if (parse(&p, asked)) answer(&p, asked);
            else fprintf(stderr, "bad position\n");
        }
        /* stop needs no answer: this engine never thinks longer than it takes to answer. */
    }
    return 0;
}
