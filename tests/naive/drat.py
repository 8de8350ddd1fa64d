"""A checker of proofs for SAT solvers: each clause must follow from those before it by unit propagation alone.

It passes deletions over, which can only make a proof harder to accept for a checker that heeds them.
"""

Clause = frozenset[int]


def refutes(formula: str, steps: str) -> bool:
    """Whether a proof shows that a formula in DIMACS has no solution."""
    clauses = [_clause(line) for line in formula.splitlines() if line and line[0] not in "cp"]
    for line in steps.splitlines():
        if not line.strip() or line.startswith("d"):
            continue
        step = _clause(line)
        if not _leads_nowhere(clauses, {-literal for literal in step}):
            return False
        if not step:
            return True
        clauses.append(step)
    return _leads_nowhere(clauses, set())


def _clause(line: str) -> Clause:
    return frozenset(map(int, line.split())) - {0}


def _leads_nowhere(clauses: list[Clause], true: set[int]) -> bool:
    """Whether propagation from these literals comes to a clause that is false."""
    is_moving = True
    while is_moving:
        is_moving = False
        for clause in clauses:
            if clause & true:
                continue
            open_literals = [literal for literal in clause if -literal not in true]
            if not open_literals:
                return True
            if len(open_literals) == 1:
                true.add(open_literals[0])
                is_moving = True
    return False
