#!/usr/bin/env python3
"""Fits the weights of engine/hex/player/conv. Needs PyTorch; two processor cores will do. See docs/net.md.

  fithex.py --out hex.raw FILE...

FILE is games that `go run ./scripts/train hex play` wrote, on boards of one size. `go run ./scripts/train hex pack` makes a file of
weights of the result. The same --steps, --seed and --threads give the same weights on one machine.
"""
import argparse, math
import numpy as np, torch
from torch import nn
from torch.nn import functional as F

TOP = 31  # of activations


def read(files, size):
    """Boards [N,2,size,size], seen by the side to move, which joins the rows, and 1 and 2 for the last moves; shares of visits
    [N,size,size]; the result and what the search expected [N,2]; whether a position is held out."""
    boards, shares, values, held = [], [], [], []
    cell = lambda name: (ord(name[0]) - ord('a'), int(name[1:]) - 1)
    for path in files:
        for line in open(path):
            if line.startswith('#'): continue
            game, moves, visits, value, won = line.split()
            board, turn = np.zeros((2, size, size), np.int8), 1
            moves = [cell(m) for m in moves.split(',')]
            for at in moves: board[0][at], turn = turn, 3 - turn
            for back, at in enumerate(moves[:-3:-1]): board[1][at] = 1 + back
            share = np.zeros((size, size), np.float32)
            for name, count in (v.split(':') for v in visits.split(',')): share[cell(name)] = int(count)
            if turn == 2:
                board, share = board.transpose(0, 2, 1), share.T
                board = np.stack([np.where(board[0] > 0, 3 - board[0], 0), board[1]])
            boards.append(board), shares.append(share / share.sum()), values.append((int(won) == turn, float(value)))
            held.append(int(game) % 10 == 0)
    as_tensor = lambda x, kind: torch.from_numpy(np.stack(x).astype(kind))
    return as_tensor(boards, np.int8), as_tensor(shares, np.float16), as_tensor(values, np.float32), np.array(held)


def planes(boards):
    """The inputs [N,4,size+2,size+2] of boards, with a border of stones."""
    x = torch.zeros(len(boards), 4, *(side + 2 for side in boards.shape[2:]))
    for k in range(4): x[:, k, 1:-1, 1:-1] = boards[:, k // 2] == k % 2 + 1
    x[:, 0, [0, -1], 1:-1] = 1
    x[:, 1, 1:-1, 0] = x[:, 1, 1:-1, -1] = 1
    return x.to(memory_format=torch.channels_last)


class Layer(nn.Module):
    AROUND = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]

    def __init__(self, inputs, channels, padding):
        super().__init__()
        self.weights, self.norm, self.padding = nn.Parameter(torch.randn(channels, inputs, 3, 3) * math.sqrt(2 / (7 * inputs))), nn.BatchNorm2d(channels), padding
        self.register_buffer('mask', torch.tensor([[float((r, c) in self.AROUND) for c in range(3)] for r in range(3)]))

    def forward(self, x): return self.norm(F.conv2d(x, self.weights * self.mask, padding=self.padding))

    def parts(self):
        """The weights by cell of AROUND, input and output, and the biases, both with the norm in them."""
        scale = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        weights = self.weights * scale[:, None, None, None]
        return torch.stack([weights[:, :, r, c].T for r, c in self.AROUND]), self.norm.bias - self.norm.running_mean * scale


class Net(nn.Module):
    def __init__(self, channels=32, blocks=6, hidden=32):
        super().__init__()
        self.layers = nn.ModuleList([Layer(4, channels, 0)] + [Layer(channels, channels, 1) for _ in range(2 * blocks)])
        self.policy, self.first, self.second = nn.Conv2d(channels, 1, 1, bias=False), nn.Linear(2 * channels, hidden), nn.Linear(hidden, 1)

    def forward(self, x):
        x = self.layers[0](x).clamp(0, TOP)
        for a, b in zip(self.layers[1::2], self.layers[2::2]): x = (x + b(a(x).clamp(0, TOP))).clamp(0, TOP)
        pool = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
        return self.policy(x).flatten(1), self.second(F.relu(self.first(pool)))[:, 0]

    def write(self, path):
        parts = [p for layer in self.layers for p in layer.parts()]
        parts += [self.policy.weight, self.first.weight, self.first.bias, self.second.weight, self.second.bias]
        np.concatenate([p.detach().numpy().ravel() for p in parts]).astype('<f4').tofile(path)


def losses(net, boards, shares, values, result):
    """The cross entropy of the moves, minus the entropy of the shares, that of the result and the search's value, and how many of
    the most visited moves are the best guesses."""
    logits, value = net(planes(boards))
    guess = F.log_softmax(logits.masked_fill(boards[:, 0].flatten(1) != 0, -1e4), 1)
    shares = shares.flatten(1).float()
    target = result * values[:, 0] + (1 - result) * values[:, 1]
    return ((torch.xlogy(shares, shares) - shares * guess).sum(1).mean(), F.binary_cross_entropy_with_logits(value, target),
            (guess.argmax(1) == shares.argmax(1)).float().mean())


if __name__ == '__main__':
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('files', nargs='+'), a.add_argument('--out', required=True), a.add_argument('--size', type=int, default=11)
    a.add_argument('--steps', type=int, default=3000), a.add_argument('--batch', type=int, default=256), a.add_argument('--rate', type=float, default=0.004)
    a.add_argument('--result', type=float, default=0.6, help='share of the result in the target of the value; the rest is of the search')
    a.add_argument('--seed', type=int, default=1), a.add_argument('--threads', type=int, default=2)
    o = a.parse_args()
    torch.manual_seed(o.seed), torch.set_num_threads(o.threads)
    *data, held = read(o.files, o.size)
    train, test = torch.from_numpy(np.flatnonzero(~held)), torch.from_numpy(np.flatnonzero(held))
    net = Net().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=o.rate, weight_decay=0.001)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, o.rate, total_steps=o.steps, pct_start=0.1)
    order = iter(())
    for step in range(1, o.steps + 1):
        batch = next(order, None)
        if batch is None or len(batch) < o.batch:
            order = iter(train[torch.randperm(len(train))].split(o.batch))
            batch = next(order)
        boards, shares, values = (x[batch] for x in data)
        half = len(batch) // 2  # is turned by half a turn
        boards, shares = torch.cat([boards[:half], boards[half:].flip(2, 3)]), torch.cat([shares[:half], shares[half:].flip(1, 2)])
        net.train()
        policy, value, _ = losses(net, boards, shares, values, o.result)
        optimizer.zero_grad(set_to_none=True)
        (policy + value).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2)
        optimizer.step(), rate.step()
        if step % max(1, o.steps // 10) == 0:
            net.eval()
            with torch.no_grad(): said = torch.stack([torch.stack(losses(net, *(x[c] for x in data), 1)) * len(c) / len(test) for c in test.split(1024)]).sum(0)
            print('step %d, held out: moves %.4f, results %.4f, most visited move guessed %.1f %%' % (step, *said[:2], 100 * said[2]), flush=True)
    net.eval()
    net.write(o.out)
