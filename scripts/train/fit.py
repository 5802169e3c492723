#!/usr/bin/env python3
"""Fits the weights of engine/santorini/player/net, on a GPU if there is one. Needs PyTorch. See docs/net.md.

  fit.py teach   --boards FILES --out teacher.pt        fits a large net over the board, for mortals only
  fit.py mortals --boards FILES --teacher teacher.pt --out mortals.raw
  fit.py rows    --rows FILES --out gods.raw            no teacher, any gods; with --added each has weights of its own

FILES are separated by commas. `go run ./scripts/train santorini boards` and `rows` write them, `groups` writes groups.bin, and `pack`
makes a file of weights of the result. The same --steps and --seed give the same weights on one machine. Some additions of a GPU have
no fixed order; PyTorch warns where it uses one.
"""
import argparse, math, os
os.environ['CUBLAS_WORKSPACE_CONFIG'] = ':4096:8'  # read when CUDA starts; products have a fixed order
import numpy as np, torch
from torch import nn
from torch.nn import functional as F

dev = 'cuda' if torch.cuda.is_available() else 'cpu'
SIDE, SQUARES, CLASSES, HEIGHTS, LEVELS = 5, 25, 6, 3, 4

# --- The features of mortals, as in package net -----------------------------------------------------------------

BLOCK = HEIGHTS * CLASSES
MATE = BLOCK + HEIGHTS * CLASSES * SQUARES * LEVELS
FOE = MATE + CLASSES * SQUARES * HEIGHTS


def turned(square, turn):
    row, column = divmod(square, SIDE)
    if turn & 1: column = SIDE - 1 - column
    if turn & 2: row = SIDE - 1 - row
    if turn & 4: row, column = column, row
    return row * SIDE + column


def tables():
    classes, seen = np.zeros(SQUARES, np.int64), np.zeros((SQUARES, SQUARES), np.int64)
    of = [0, 1, 2, 6, 7, 12]
    for s in range(SQUARES):
        turn = next(t for t in range(8) if turned(s, t) in of)
        classes[s], seen[s] = of.index(turned(s, turn)), [turned(q, turn) for q in range(SQUARES)]
    turns = np.array([[turned(s, t) for s in range(SQUARES)] for t in range(8)])
    near = np.full((SQUARES, 8), -1)
    steps = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]
    for s in range(SQUARES):
        for k, (r, c) in enumerate(steps):
            if 0 <= s // SIDE + r < SIDE and 0 <= s % SIDE + c < SIDE: near[s, k] = s + r * SIDE + c
    return [torch.from_numpy(x).to(dev) for x in (classes, seen, turns, np.argsort(turns, 1), near)]


CLASS, SEEN, TURN, FROM, NEAR = tables()
IS_NEAR, NEAR = NEAR >= 0, NEAR.clamp(min=0)


def augment(H, W):
    """A random symmetry of each board: heights [B,25], squares of workers [B,4], the mover's first."""
    turn = torch.randint(8, (len(H),), device=dev)
    return H.gather(1, FROM[turn]), TURN[turn].gather(1, W)


def features(H, W, rows):
    """The rows of the four views [B,4,29], the mover's first. The value rows means none."""
    out = torch.full((len(H), 4, 29), rows, dtype=torch.int16, device=dev)
    height = H.gather(1, W).clamp(max=HEIGHTS - 1)
    for v in range(4):
        square, first = W[:, v], 0 if v < 2 else rows // 2
        place, seen = height[:, v] * CLASSES + CLASS[square], SEEN[square]
        out[:, v, :25] = torch.where(H > 0, first + BLOCK + (place[:, None] * SQUARES + seen) * LEVELS + H - 1, rows).short()
        out[:, v, 25] = (first + place).short()
        for k, o in enumerate(o for o in range(4) if o != v):
            at = CLASS[square] * SQUARES + seen.gather(1, W[:, o:o + 1])[:, 0]
            out[:, v, 26 + k] = (first + (MATE if o == v ^ 1 else FOE) + at * HEIGHTS + height[:, o]).short()
    return out


# --- Positions near those of games ------------------------------------------------------------------------------

def occupied(W):
    return torch.zeros(len(W), SQUARES, dtype=torch.bool, device=dev).scatter_(1, W, True)


def threat(H, W):
    """Whether a worker on level 2 is next to a free level 3. Positions of games are quiet."""
    free = (H == 3) & ~occupied(W)
    near = free.gather(1, NEAR[W].reshape(len(H), 32)).view(-1, 4, 8) & IS_NEAR[W]
    return (near.any(2) & (H.gather(1, W) == 2)).any(1)


def random_turn(H, W):
    """The positions after a random turn that does not win, and whether there is one."""
    B, taken, me = len(H), occupied(W), W[:, :2]
    start, to = H.gather(1, me)[:, :, None], NEAR[me]
    at = lambda board, squares: board.gather(1, squares.reshape(B, -1)).view(squares.shape)
    legal = IS_NEAR[me] & (at(H, to) <= start + 1) & (at(H, to) < 4) & ~at(taken, to) & ~((at(H, to) == 3) & (start == 2))
    block = NEAR[to]
    legal = IS_NEAR[to] & legal[..., None] & (at(H, block) < 4) & ~(at(taken, block) & (block != me[:, :, None, None]))
    pick = (torch.rand(B, 128, device=dev) + legal.view(B, 128)).argmax(1, keepdim=True)
    H, W = H.clone(), W.clone()
    H.scatter_add_(1, block.view(B, 128).gather(1, pick), torch.ones_like(pick))
    W.scatter_(1, pick // 64, to.view(B, 16).gather(1, pick // 8))
    return H.clamp(max=4), torch.cat([W[:, 2:], W[:, :2]], 1), legal.view(B, 128).gather(1, pick)[:, 0]


def wander(H, W):
    """Quiet positions one to three random turns away."""
    keep, turns = torch.ones(len(H), dtype=torch.bool, device=dev), torch.rand(len(H), device=dev)
    for least in (1.1, 0.6, 0.2):
        go = (turns < least) & keep
        H2, W2, ok = random_turn(H, W)
        H, W = torch.where(go[:, None], H2, H), torch.where(go[:, None], W2, W)
        keep &= (ok | ~go) & ~threat(H, W)
    return H[keep], W[keep]


# --- Nets -------------------------------------------------------------------------------------------------------

class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.a, self.b = (nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2))
        self.na, self.nb = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)

    def forward(self, x):
        return F.relu(x + self.nb(self.b(F.relu(self.na(self.a(x))))))


class Teacher(nn.Module):
    """A residual net over the board. Its value is a logit for the mover."""

    def __init__(self, channels=128, blocks=8):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(10, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU())
        self.tower = nn.Sequential(*[Block(channels) for _ in range(blocks)])
        self.head = nn.Sequential(nn.Conv2d(channels, 16, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.Flatten(),
                                  nn.Linear(16 * SQUARES, 128), nn.ReLU(), nn.Linear(128, 1))

    def forward(self, H, W):
        mine, foe = (torch.zeros(len(H), SQUARES, device=dev).scatter_(1, w, 1) for w in (W[:, :2], W[:, 2:]))
        planes = [(H >= k).float() for k in range(1, 5)] + [mine, foe, mine * (H / 2), foe * (H / 2), torch.ones_like(mine), (H == 2).float()]
        x = torch.stack(planes, 1).view(-1, 10, SIDE, SIDE).to(memory_format=torch.channels_last)
        with torch.autocast(dev, torch.bfloat16):
            return self.head(self.tower(self.first(x))).float()[:, 0]


PADS = 4096  # rows of zeros; atomic additions to a single row would wait for each other


class Sum(torch.autograd.Function):
    """Sums of rows, with a gradient by atomic additions, which is faster than that of embedding_bag."""

    @staticmethod
    def forward(ctx, index, weights):
        ctx.save_for_backward(index)
        ctx.rows = len(weights)
        return F.embedding_bag(index, weights, mode='sum')

    @staticmethod
    def backward(ctx, slope):
        index, = ctx.saved_tensors
        sums = torch.zeros(ctx.rows, slope.shape[1], device=slope.device)
        return None, sums.index_add_(0, index.reshape(-1), slope.repeat_interleave(index.shape[1], 0))


class Permuted(torch.autograd.Function):
    """The rows of x in an order, with a gradient that adds nothing up."""

    @staticmethod
    def forward(ctx, x, order, inverse):
        ctx.inverse = inverse
        return x.index_select(0, order)

    @staticmethod
    def backward(ctx, slope):
        return slope.index_select(0, ctx.inverse), None, None


def by(keys, x, f):
    """f of the rows of x with the same key, in the order of x."""
    order = keys.argsort()
    inverse = order.argsort()
    found, counts = torch.unique_consecutive(keys[order], return_counts=True)
    parts = [f(key, part) for key, part in zip(found.tolist(), Permuted.apply(x, order, inverse).split(counts.tolist()))]
    return Permuted.apply(torch.cat(parts), inverse, order)


class Net(nn.Module):
    """The engine's net, in logits, with the groups of rows of AppendGroups and the weights that each god adds, as in Family."""

    def __init__(self, groups, width, neurons, gods=0, top=2047 / 256):
        super().__init__()
        self.count, self.width, self.top, self.gods = len(groups), width, top, gods
        details, groups = groups[:, 2], groups[:, :2].contiguous()
        self.details = int(details.max())
        self.register_buffer('detail', torch.cat([details, torch.full((1,), self.details, device=dev)]))
        self.added = nn.Parameter(torch.zeros(4 * gods, self.details, width))  # as the worker's or the opponent's, god, set
        self.head = nn.Parameter(torch.zeros(2 * gods, 2 * width + 1, neurons))  # as the god that moves or the other, god
        self.single, self.shared = (nn.Parameter(torch.randn(n, width) * 0.03) for n in (len(groups), int(groups.max())))
        self.register_buffer('groups', groups)
        second, last = torch.randn(2 * width, neurons) * 0.1, torch.randn(neurons) * 0.2
        second[:, 0], last[0] = torch.where(torch.arange(2 * width) % width < width // 2, 1.0, -1.0), 1
        self.second, self.bias, self.last = nn.Parameter(second), nn.Parameter(torch.zeros(neurons)), nn.Parameter(last)

    def rows(self):
        shared = torch.cat([self.shared, torch.zeros(1, self.width, device=dev)])
        rows = self.single + shared.index_select(0, self.groups[:, 0]) + shared.index_select(0, self.groups[:, 1])
        return torch.cat([rows, torch.zeros(PADS, self.width, device=dev)])

    def sums(self, index):
        """The sums of rows of lists of rows."""
        if dev == 'cpu':
            return F.embedding_bag(index, self.rows(), mode='sum', padding_idx=self.count)
        flat = index.reshape(-1).int()
        flat = torch.where(flat == self.count, self.count + torch.arange(len(flat), device=dev, dtype=torch.int32) % PADS, flat)
        return Sum.apply(flat.view(index.shape), self.rows())

    def forward(self, index, sets, gods=None):
        lists = index.reshape(-1, index.shape[-1]).int()
        views = self.sums(lists)
        if self.gods:
            lists, sides, added, head = lists.long(), sets.long().clamp(max=1), self.added.unbind(0), self.head.unbind(0)
            counts = torch.zeros(len(lists), self.details + 1, device=dev)
            counts = counts.scatter_add_(1, self.detail[lists], torch.ones((), device=dev).expand(lists.shape))[:, :-1]
            for k, side in enumerate((sides, 1 - sides)):
                keys = (k * self.gods + gods.gather(1, side)) * 2 + sides
                views = views + by(keys.view(-1), counts, lambda key, part: part @ added[key])
        views = views.view(len(index), -1, self.width).clamp(0, self.top)
        pools = torch.cat([(views * (sets == s).unsqueeze(-1)).sum(1) for s in (0, 1)], 1)
        z = pools @ self.second + self.bias
        for k in range(2 if self.gods else 0):
            z = z + by(k * self.gods + gods[:, k], pools, lambda key, part: torch.addmm(head[key][-1], part, head[key][:-1]))
        return torch.cat([z[:, :1], F.relu(z[:, 1:])], 1) @ self.last

    def write(self, path):
        parts = self.rows()[:self.count], self.second, self.bias, self.last, self.added, self.head
        np.concatenate([p.detach().cpu().numpy().ravel() for p in parts]).astype('<f4').tofile(path)


# --- Fits -------------------------------------------------------------------------------------------------------

def load(files, record):
    """The records, which of them are held out, the results, and the targets."""
    m = np.concatenate([np.fromfile(f, np.uint8).reshape(-1, record) for f in files.split(',')])
    labels = m[:, 29:31] if record == 36 else m[:, record - 8:record - 6]
    return m, *(torch.from_numpy(x).to(dev) for x in (labels[:, 0] == 1, labels[:, 1].copy(), m[:, -4:].copy().view(np.float32)[:, 0]))


def boards(o):
    m, *rest = load(o.boards, 36)
    return torch.from_numpy(m[:, :29].copy()).to(dev), *rest


def split(P): return P[:, :25].long(), P[:, 25:29].long()


def mixed(target, won, share):
    """Mixes the results into the targets of positions that are not proven."""
    return torch.where((won > 0) & (target > 0) & (target < 1), share * target + (1 - share) * (won == 2).float(), target)


def loss(evaluate, n, target):
    """The mean cross entropy minus the mean entropy of the targets."""
    total = 0.0
    with torch.no_grad():
        for c in torch.arange(n, device=dev).split(32768):
            t = target[c]
            total += (F.binary_cross_entropy_with_logits(evaluate(c), t, reduction='sum') + torch.xlogy(t, t).sum() + torch.xlogy(1 - t, 1 - t).sum()).item()
    return total / n


def fit(o, parameters, batches, step_loss, say):
    """o.steps steps of Adam with decoupled weight decay; the rate follows a cosine. batches yields the batches of one epoch."""
    optimizer = torch.optim.AdamW(parameters, lr=o.rate, fused=dev == 'cuda')
    step = 0
    while step < o.steps:
        for batch in batches():
            for group in optimizer.param_groups:
                group['lr'] = o.rate * (1 + math.cos(math.pi * step / o.steps)) / 2 * min(1, (step + 1) / 300)
            optimizer.zero_grad(set_to_none=True)
            step_loss(batch).backward()
            optimizer.step()
            step += 1
            if step % max(1, o.steps // 10) == 0: print(f'step {step}, held-out loss {say():.5f}', flush=True)
            if step == o.steps: break


def student(o, gods=0):
    groups = torch.from_numpy(np.fromfile(o.groups, np.int32).reshape(-1, 3).astype(np.int64)).to(dev)
    net = Net(groups, o.width, o.neurons, gods).to(dev)
    return net, [{'params': [net.single, net.shared, net.added], 'weight_decay': 1}, {'params': [net.second, net.last, net.head], 'weight_decay': 0.1},
                 {'params': [net.bias], 'weight_decay': 0}]


def shuffled(n, size): return torch.randperm(n, device=dev).split(size)


def teach(o):
    P, held, won, target = boards(o)
    train, test = torch.nonzero(~held)[:, 0], torch.nonzero(held)[:, 0][:200000]
    net, goal = Teacher().to(dev).to(memory_format=torch.channels_last), mixed(target, won, o.share)

    def say():
        net.eval()
        value = loss(lambda c: net(*split(P[test[c]])), len(test), target[test])
        net.train()
        return value

    fit(o, [{'params': net.parameters(), 'weight_decay': 0.01}], lambda: (train[c] for c in shuffled(len(train), o.batch)),
        lambda c: F.binary_cross_entropy_with_logits(net(*augment(*split(P[c]))), goal[c]), say)
    torch.save(net.state_dict(), o.out)


def mortals(o):
    """Positions of games, whose targets are half from the teacher, and some ten times as many near them, with targets of the teacher alone."""
    P, held, won, target = boards(o)
    train, test = torch.nonzero(~held)[:, 0], torch.nonzero(held)[:, 0][:200000]
    teacher = Teacher().to(dev).to(memory_format=torch.channels_last)
    teacher.load_state_dict(torch.load(o.teacher, map_location=dev))
    teacher.eval()
    net, parameters = student(o)
    index, goal, real = [], [], 0
    with torch.no_grad():
        for c in train.split(131072):
            H, W = split(P[c])
            t = mixed(target[c], won[c], o.share)
            goal.append(torch.where((t > 0) & (t < 1), (t + torch.sigmoid(teacher(H, W))) / 2, t).half())
            index.append(features(*augment(H, W), net.count))
            real += len(c)
        extra = 0
        while extra < o.extra:
            for c in train[torch.randperm(len(train), device=dev)].split(131072):
                H, W = augment(*wander(*split(P[c])))
                goal.append(torch.sigmoid(teacher(H, W)).half())
                index.append(features(H, W, net.count))
                extra += len(H)
                if extra >= o.extra: break
    index, goal, sets = torch.cat(index), torch.cat(goal), torch.tensor([[0, 0, 1, 1]], device=dev)
    tested = torch.cat([features(*split(P[c]), net.count) for c in test.split(65536)])
    some = int(o.batch * 0.3)

    def batches():
        for c in shuffled(real, some):
            yield torch.cat([c, torch.randint(real, len(goal), (o.batch - some,), device=dev)])

    fit(o, parameters, batches, lambda c: F.binary_cross_entropy_with_logits(net(index[c], sets), goal[c].float()),
        lambda: loss(lambda c: net(tested[c], sets), len(test), target[test]))
    net.write(o.out)


def rows(o):
    views, width = 6, 40
    m, held, won, target = load(o.rows, 2 * views * width + 16)
    sets = m[:, 2 * views * width:][:, :views].copy()
    index = m[:, :2 * views * width].view(np.int16).reshape(-1, views, width)[:, :(sets < 2).sum(1).max()].copy()
    known, gods = np.unique(m[:, 2 * views * width + views:][:, :2], return_inverse=True)
    index, sets, gods = (torch.from_numpy(x).to(dev) for x in (index, sets[:, :index.shape[1]].copy(), gods.reshape(-1, 2)))
    train, test, goal = torch.nonzero(~held)[:, 0], torch.nonzero(held)[:, 0], mixed(target, won, o.share)
    net, parameters = student(o, len(known) if o.added else 0)
    evaluate = lambda c: net(index[c], sets[c], gods[c])
    fit(o, parameters, lambda: (train[c] for c in shuffled(len(train), o.batch)),
        lambda c: F.binary_cross_entropy_with_logits(evaluate(c), goal[c]),
        lambda: loss(lambda c: evaluate(test[c]), len(test), target[test]))
    net.write(o.out)


if __name__ == '__main__':
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('what', choices=['teach', 'mortals', 'rows'])
    a.add_argument('--boards'), a.add_argument('--rows'), a.add_argument('--teacher'), a.add_argument('--out', required=True)
    a.add_argument('--groups', default='groups.bin'), a.add_argument('--added', action='store_true')
    a.add_argument('--width', type=int, default=64), a.add_argument('--neurons', type=int, default=16)
    a.add_argument('--batch', type=int, default=8192), a.add_argument('--rate', type=float, default=0.004)
    a.add_argument('--share', type=float, default=0.85, help='of the score in the target; the rest is the result')
    a.add_argument('--extra', type=int, default=30_000_000), a.add_argument('--steps', type=int, default=40_000), a.add_argument('--seed', type=int, default=1)
    o = a.parse_args()
    torch.manual_seed(o.seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.backends.cuda.matmul.allow_tf32 = True
    {'teach': teach, 'mortals': mortals, 'rows': rows}[o.what](o)
