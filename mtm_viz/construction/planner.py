"""The planner: several ways to build one schedule, the first that is good enough, and what became of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from mtm_viz.construction.disentangle import Demand
from mtm_viz.construction.pipeline import Construction, Goal, Progress, construct
from mtm_viz.construction.stage import Clouds
from mtm_viz.errors import Refusal

#: Input atoms times places above which only the first way that works is built.
MOST_COMPARED = 300_000

#: For the atoms at hand: any gap between the disentangled measures will do. A wider one costs contraction, and may
#: save more of it in the match; a calmer drive amplifies less.
EXACT = (Demand(0.012, 1.0), Demand(0.04, 1.0), Demand(0.012, 5.0))
#: For other samples of the measures too: a wide gap has room for atoms beyond these, a narrow one takes less
#: attention, by which barycentres wobble less. In the last resort slices may be carried by any number of caps.
GENERAL = (
    Demand(0.08, 6.0, strays=2.0, long_chains=4),
    Demand(0.065, 6.0, strays=3.0, long_chains=4),
    Demand(0.05, 6.0, strays=2.0, long_chains=4),
    Demand(0.03, 6.0, strays=2.0, long_chains=4),
    Demand(0.08, 6.0, strays=2.0),
)

#: How good a construction is: at most 1 is good enough.
Judge = Callable[[Construction], float]


@dataclass(frozen=True)
class Attempt:
    """One way that was tried: what was demanded, the road of the inputs' disentangling, its value or why it failed."""

    demand: Demand
    road: str | None
    value: float | None
    refused: str | None
    taken: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain JSON: what was demanded (margin, calm, strays), road, value, refused, taken."""
        said = asdict(self)
        del said["demand"]
        return {"margin": self.demand.margin, "calm": self.demand.calm, "strays": self.demand.strays, **said}


def plan(
    inputs: Clouds,
    goals: tuple[Goal, ...],
    *,
    demands: tuple[Demand, ...],
    judge: Judge,
    seed: int,
    width: int | None,
    progress: Progress,
) -> tuple[Construction, tuple[Attempt, ...]]:
    """(the construction taken, all attempts). Raises the first Refusal where every way is refused."""
    work = sum(len(cloud.points) for cloud in inputs) * sum(len(goal.places) for goal in goals)
    built: list[Construction | None] = []
    attempts: list[Attempt] = []
    reason: Refusal | None = None
    for k, demand in enumerate(demands):
        some = any(solved is not None for solved in built)
        # The last resort is for where nothing else worked, and large problems are not built twice.
        if some and ((k == len(demands) - 1 and demand.general) or k * work > MOST_COMPARED):
            break
        try:
            solved = construct(inputs, goals, demand=demand, seed=seed, width=width, progress=progress)
        except Refusal as error:
            reason = reason or error
            built.append(None)
            attempts.append(Attempt(demand, None, None, str(error)))
            continue
        progress("judging the construction", 1.0)
        built.append(solved)
        # What will not be compared need not be judged.
        attempts.append(Attempt(demand, solved.road, judge(solved) if work <= MOST_COMPARED else None, None))
        if (attempts[-1].value or 0.0) <= 1.0:
            break
    found = [k for k, solved in enumerate(built) if solved is not None]
    if not found:
        assert reason is not None
        raise reason
    best = min(found, key=lambda k: attempts[k].value or 0.0)
    chosen = built[best]
    assert chosen is not None
    attempts[best] = Attempt(attempts[best].demand, chosen.road, attempts[best].value, None, taken=True)
    return chosen, tuple(attempts)
