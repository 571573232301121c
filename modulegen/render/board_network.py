"""Links that join at nodes, put together into long lines: rivers of hexsides, roads of steps between hexes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True)
class LinkStep(Generic[N]):
    """One link passed in one sense: `link` is its index."""

    start: N
    link: int
    end: N


class Network(Generic[N]):
    """Links between nodes, and at each node which link goes on as which.

    `cost(node, a, b)` says how badly link `b` continues link `a`; pairs are made from the best down. None: never.
    """

    def __init__(self, links: Sequence[tuple[N, N]], cost: Callable[[N, int, int], float | None]) -> None:
        self.links = links
        self.at: dict[N, list[int]] = {}
        for i, (a, b) in enumerate(links):
            self.at.setdefault(a, []).append(i)
            self.at.setdefault(b, []).append(i)
        self.follows: dict[tuple[N, int], int] = {}
        for node, here in self.at.items():
            ranked = []
            for one, other in combinations(here, 2):
                price = cost(node, one, other)
                if price is not None:
                    ranked.append((price, one, other))
            for _, one, other in sorted(ranked):
                if (node, one) not in self.follows and (node, other) not in self.follows:
                    self.follows[node, one] = other
                    self.follows[node, other] = one

    def chains(self) -> list[list[LinkStep[N]]]:
        """Every link once, in lines that run as far as the pairs carry them. A ring starts anywhere."""
        used: set[int] = set()
        lines = []
        ends = [(n, i) for i, pair in enumerate(self.links) for n in pair if (n, i) not in self.follows]
        rings = [(pair[0], i) for i, pair in enumerate(self.links)]
        for node, link in ends + rings:
            if link in used:
                continue
            line: list[LinkStep[N]] = []
            at, here = node, link
            while here not in used:
                used.add(here)
                a, b = self.links[here]
                far = b if at == a else a
                line.append(LinkStep(at, here, far))
                if (far, here) not in self.follows:
                    break
                at, here = far, self.follows[far, here]
            lines.append(line)
        return lines

    def is_ring(self, line: Sequence[LinkStep[N]]) -> bool:
        """Whether a line from `chains` closes on itself."""
        last = line[-1]
        return (
            len(line) > 1 and self.follows.get((last.end, last.link)) == line[0].link and last.end == line[0].start
        )
