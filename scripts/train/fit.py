#!/usr/bin/env python3
"""Fits the weights of engine/santorini/player/net. Needs PyTorch; two processor cores will do. See docs/net.md.

  fit.py --groups FILE --rows FILE --out some.raw [--added]

`go run ./scripts/train santorini groups` and `rows` write the files, and `pack` makes a file of weights of the result. With --added
each god has weights of its own. The same --steps, --seed and --threads give the same weights on one machine.
"""
import argparse, math
import numpy as np, torch
from torch import nn
from torch.nn import functional as F

VIEWS, LENGTH = 6, 40  # of a position, and of the list of rows of a view


def read(path):
    """The rows of each view [N,views,LENGTH], whose sets they are [N,views], the gods of the side to move and the other, numbered
    [N,2], whether a position is held out, its result, and its target."""
    m = np.fromfile(path, np.uint8).reshape(-1, 2 * VIEWS * LENGTH + 16)
    rows, rest = m[:, :2 * VIEWS * LENGTH].view(np.int16).reshape(-1, VIEWS, LENGTH), m[:, 2 * VIEWS * LENGTH:].copy()
    views = (rest[:, :VIEWS] < 2).sum(1).max()
    known, gods = np.unique(rest[:, VIEWS:VIEWS + 2], return_inverse=True)
    lists = rows[:, :views].copy(), rest[:, :views].copy(), gods.reshape(-1, 2), rest[:, -8] == 1, rest[:, -7].copy(), rest[:, -4:].copy().view(np.float32)[:, 0]
    return len(known), *map(torch.from_numpy, lists)


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

    def __init__(self, groups, gods, width=64, neurons=16, top=2047 / 256):
        super().__init__()
        self.count, self.width, self.top, self.gods = len(groups), width, top, gods
        detail, self.groups = groups[:, 2], groups[:, :2].contiguous()
        self.details = int(detail.max())
        self.detail = torch.cat([detail, torch.full((1,), self.details)])
        self.added = nn.Parameter(torch.zeros(4 * gods, self.details, width))  # as the worker's or the opponent's, god, set
        self.head = nn.Parameter(torch.zeros(2 * gods, 2 * width + 1, neurons))  # as the god that moves or the other, god
        self.single, self.shared = (nn.Parameter(torch.randn(n, width) * 0.03) for n in (len(groups), int(self.groups.max())))
        second, last = torch.randn(2 * width, neurons) * 0.1, torch.randn(neurons) * 0.2
        second[:, 0], last[0] = torch.where(torch.arange(2 * width) % width < width // 2, 1.0, -1.0), 1
        self.second, self.bias, self.last = nn.Parameter(second), nn.Parameter(torch.zeros(neurons)), nn.Parameter(last)

    def parameters_by_decay(self):
        return [{'params': [self.single, self.shared, self.added], 'weight_decay': 1},
                {'params': [self.second, self.last, self.head], 'weight_decay': 0.1}, {'params': [self.bias], 'weight_decay': 0}]

    def rows(self):
        shared = torch.cat([self.shared, torch.zeros(1, self.width)])
        return self.single + shared.index_select(0, self.groups[:, 0]) + shared.index_select(0, self.groups[:, 1])

    def forward(self, index, sets, gods):
        lists = index.reshape(-1, index.shape[-1]).int()
        views = F.embedding_bag(lists, torch.cat([self.rows(), torch.zeros(1, self.width)]), mode='sum', padding_idx=self.count)
        if self.gods:
            lists, sides, added, head = lists.long(), sets.long().clamp(max=1), self.added.unbind(0), self.head.unbind(0)
            counts = torch.zeros(len(lists), self.details + 1)
            counts = counts.scatter_add_(1, self.detail[lists], torch.ones(()).expand(lists.shape))[:, :-1]
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
        parts = self.rows(), self.second, self.bias, self.last, self.added, self.head
        np.concatenate([p.detach().numpy().ravel() for p in parts]).astype('<f4').tofile(path)


def loss(net, data, targets, positions):
    """The mean cross entropy of some positions minus the mean entropy of their targets."""
    total = 0.0
    with torch.no_grad():
        for c in positions.split(32768):
            t = targets[c]
            total += F.binary_cross_entropy_with_logits(net(*(x[c] for x in data)), t, reduction='sum').item()
            total += (torch.xlogy(t, t) + torch.xlogy(1 - t, 1 - t)).sum().item()
    return total / len(positions)


if __name__ == '__main__':
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('--rows', required=True), a.add_argument('--groups', required=True), a.add_argument('--out', required=True)
    a.add_argument('--added', action='store_true'), a.add_argument('--steps', type=int, default=6000)
    a.add_argument('--batch', type=int, default=8192), a.add_argument('--rate', type=float, default=0.004)
    a.add_argument('--share', type=float, default=0.85, help='of the score in the target; the rest is the result')
    a.add_argument('--seed', type=int, default=1), a.add_argument('--threads', type=int, default=2)
    o = a.parse_args()
    torch.manual_seed(o.seed), torch.set_num_threads(o.threads), torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = False
    known, *data, held, won, target = read(o.rows)
    train, test = torch.nonzero(~held)[:, 0], torch.nonzero(held)[:, 0]
    # The results are mixed into the targets of positions that are not proven.
    goal = torch.where((won > 0) & (target > 0) & (target < 1), o.share * target + (1 - o.share) * (won == 2).float(), target)
    net = Net(torch.from_numpy(np.fromfile(o.groups, np.int32).reshape(-1, 3).astype(np.int64)), known if o.added else 0)
    optimizer = torch.optim.AdamW(net.parameters_by_decay(), lr=o.rate)
    order = iter(())
    for step in range(o.steps):
        for group in optimizer.param_groups:
            group['lr'] = o.rate * (1 + math.cos(math.pi * step / o.steps)) / 2 * min(1, (step + 1) / 300)
        batch = next(order, None)
        if batch is None:
            order = iter(train[torch.randperm(len(train))].split(o.batch))
            batch = next(order)
        optimizer.zero_grad(set_to_none=True)
        F.binary_cross_entropy_with_logits(net(*(x[batch] for x in data)), goal[batch]).backward()
        optimizer.step()
        if (step + 1) % max(1, o.steps // 10) == 0: print(f'step {step + 1}, held-out loss {loss(net, data, target, test):.5f}', flush=True)
    net.write(o.out)
