"""The number of switches the paper allows for a problem, counted from its proofs (arXiv 2411.04551v3)."""


def switches_bound(dimension: int, pairs: int, atoms: int) -> int:
    """Switches of the construction of Theorem 1.2 for `pairs` pairs with `atoms` target atoms in all.

    Each side: one segment into the orthant (Lemma 3.2), at most two to make barycentres differ (Lemma 3.4) and
    2d - 1 a measure to disentangle (Lemma 3.3, Prop 3.1); between the sides at most 6 an atom (Prop 4.2).
    The last switch would lead nowhere, so one is taken off.
    """
    side = 1 + 2 + (2 * dimension - 1) * pairs if pairs > 1 else 1
    return 2 * side + 6 * atoms - 1
