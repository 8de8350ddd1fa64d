"""A checker of SAT proofs: each clause must follow from earlier ones by unit propagation alone.

It ignores deletions, so it accepts every proof that a checker that applies them accepts.
"""

Clause = frozenset[int]


def refutes(formula: str, steps: str) -> bool:
    """Whether a proof shows that a DIMACS formula is unsatisfiable."""
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
    """Whether unit propagation from these literals reaches a falsified clause."""
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
