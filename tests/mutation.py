"""Mutation testing: change functions of randomly chosen modules, and count the mutants that tests detect.

`python -m tests.mutation --seed 30 --modules 12 --mutants 20` lists each mutant and its fate. A mutant is the body
of one function or method with one change. It runs in a fork of a process that has collected the tests of the
module's folder. The tests that reach the function run, cheapest first, until one fails or SECONDS are spent.
Programs started by tests are not mutated; compiled kernels and import-time code are left out.
"""

import argparse
import ast
import contextlib
import copy
import gc
import hashlib
import json
import os
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
SECONDS = 10.0
"""Total test time per mutant, by the tests' times without it."""
STUCK = 12 * SECONDS
"""Wall seconds after which a mutant counts as detected, since a test hangs."""

_COMPARED: dict[type[ast.AST], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_COUNTED: dict[type[ast.AST], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


class Mutant(NamedTuple):
    """One change of a function: module path, qualified name, description of the change, and its number."""

    module: str
    function: str
    words: str
    place: int

    def code(self) -> CodeType | None:
        """Compile the changed body of the function."""
        path = ROOT / self.module
        tree = ast.parse(path.read_text())
        _places(dict(_functions(tree))[self.function])[self.place][1]()
        return _compiled(tree, str(path), self.function)


def _changes(node: ast.AST) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield each possible change of this node: its description, and a function that applies it."""
    match node:
        case ast.Compare(ops=[one]) if type(one) in _COMPARED:
            yield f"{type(one).__name__} turned", lambda: setattr(node, "ops", [_COMPARED[type(one)]()])
        case ast.BinOp(op=one) if type(one) in _COUNTED:
            yield f"{type(one).__name__} turned", lambda: setattr(node, "op", _COUNTED[type(one)]())
        case ast.BoolOp(op=ast.And()):
            yield "and for or", lambda: setattr(node, "op", ast.Or())
        case ast.BoolOp():
            yield "or for and", lambda: setattr(node, "op", ast.And())
        case ast.Constant(value=bool(value)):
            yield f"not {value}", lambda: setattr(node, "value", not value)
        case ast.Constant(value=int(value)):
            yield f"{value} + 1", lambda: setattr(node, "value", value + 1)
        case ast.If() | ast.IfExp() | ast.While():
            test = node.test
            yield "condition turned", lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), test))
        case ast.Return(value=ast.expr()):
            yield "returns nothing", lambda: setattr(node, "value", ast.Constant(None))
        case ast.Expr(value=ast.Call()):
            yield "call dropped", lambda: setattr(node, "value", ast.Constant(None))


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield a module's functions and methods by qualified name, except names that occur twice."""
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, parent = waiting.pop()
        names = Counter(getattr(node, "name", "") for node in ast.iter_child_nodes(parent))
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, ast.ClassDef):
                waiting.append((f"{prefix}{node.name}.", node))
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and names[node.name] == 1:
                yield prefix + node.name, node


def _compiled(tree: ast.Module, path: str, function: str) -> CodeType | None:
    """Return the compiled body of a function in this version of its module."""
    waiting = [compile(ast.fix_missing_locations(tree), path, "exec")]
    while waiting:
        code = waiting.pop()
        if code.co_qualname == function:
            return code
        waiting += [const for const in code.co_consts if isinstance(const, CodeType)]
    return None


def _places(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[tuple[str, Callable[[], None]]]:
    return [change for part in function.body for node in ast.walk(part) for change in _changes(node)]


def mutants(module: str) -> list[Mutant]:
    """Return every mutant of a module."""
    return [
        Mutant(module, name, words, place)
        for name, function in _functions(ast.parse((ROOT / module).read_text()))
        for place, (words, _) in enumerate(_places(function))
    ]


def _chance(seed: int, *names: str) -> bytes:
    """Return a sort key for a random order that changes elsewhere do not disturb."""
    return hashlib.sha256("\0".join((str(seed), *names)).encode()).digest()


def chosen_modules(seed: int, count: int, least: int) -> list[str]:
    """Choose random modules that have at least `least` mutants and a folder of tests."""
    every = [str(path.relative_to(ROOT)) for path in (ROOT / "xwtui").rglob("*.py") if "kernels" not in path.parts]
    every.sort(key=lambda module: _chance(seed, module))
    found = [module for module in every if _room(module).is_dir() and len(mutants(module)) >= least]
    return sorted(found[:count])


def _room(module: str) -> Path:
    return ROOT / "tests" / module.split("/")[1]


def _standing(module: str) -> dict[str, FunctionType]:
    """Return a module's functions in this process by qualified name, decorated ones included."""
    path = str(ROOT / module)
    found = (thing for thing in gc.get_objects() if isinstance(thing, FunctionType))
    return {one.__code__.co_qualname: one for one in found if one.__code__.co_filename == path}


_reached: set[str] = set()


def reached(name: str) -> None:
    """Record that a test reaches this marked function."""
    _reached.add(name)


def _mark(module: str) -> None:
    """Make each function of a module report when it is called."""
    standing = _standing(module)
    tree = ast.parse((ROOT / module).read_text())
    for function, node in _functions(tree):
        say = ast.parse(f"__import__('tests.mutation').mutation.reached({module + ':' + function!r})").body
        node.body[:0] = say
    for function, one in standing.items():
        code = _compiled(copy.deepcopy(tree), str(ROOT / module), function)
        with contextlib.suppress(ValueError):
            one.__code__ = code or one.__code__


def _cpu() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


class Spoiler:
    """Runs the collected tests of a folder against mutants of its modules, each in a fork."""

    def __init__(self, seed: int, modules: list[str], count: int) -> None:
        self.seed, self.modules, self.count = seed, modules, count
        self.killed: dict[str, list[bool]] = {module: [] for module in modules}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        gc.unfreeze()
        items = {item.nodeid: item for item in session.items}
        seen: dict[str, tuple[float, list[str]]] = json.loads(_forked(lambda say: self._look(session, say), 3600))
        for module in self.modules:
            standing = _standing(module)
            order = sorted(mutants(module), key=lambda one: _chance(self.seed, *map(str, one)))
            for mutant in order:
                if len(self.killed[module]) == self.count:
                    break
                target, code = standing.get(mutant.function), mutant.code()
                if not (target and code and len(code.co_freevars) == len(target.__code__.co_freevars)):
                    continue
                name = f"{module}:{mutant.function}"
                costs = sorted((cost, test) for test, (cost, functions) in seen.items() if name in functions)
                verdict = _verdict(session, target, code, [(cost, items[test]) for cost, test in costs])
                self.killed[module].append(verdict.startswith("killed"))
                print(f"{module}\t{mutant.function}\t{mutant.words}, {mutant.place}\t{verdict}", flush=True)
        return True

    def _look(self, session: pytest.Session, say: Callable[[str], None]) -> None:
        """Record which functions each test reaches, and its time."""
        for module in self.modules:
            _mark(module)
        seen = {}
        for at, item in enumerate(session.items):
            _reached.clear()
            begun = _cpu()
            _run(session, item, session.items[at + 1] if at + 1 < len(session.items) else None)
            if _reached:
                seen[item.nodeid] = (_cpu() - begun, sorted(_reached))
        say(json.dumps(seen))


def _verdict(
    session: pytest.Session, target: FunctionType, code: CodeType, tests: list[tuple[float, pytest.Item]]
) -> str:
    """Run the tests against the changed body, and return the outcome."""

    def meet(say: Callable[[str], None]) -> None:
        target.__code__ = code
        spent = 0.0
        for at, (cost, item) in enumerate(tests):
            spent += cost
            if spent > SECONDS and at:
                break
            _run(session, item, tests[at + 1][1] if at + 1 < len(tests) else None)
            if session.testsfailed:
                say(f"killed by {item.nodeid}")
                return
        say("lives")

    if not tests:
        return "lives, not reached"
    return _forked(meet, STUCK) or "killed by the clock, or with its process"


def _run(session: pytest.Session, item: pytest.Item, following: pytest.Item | None) -> None:
    session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _forked(work: Callable[[Callable[[str], None]], None], seconds: float) -> str:
    """Run `work` in a fork and return what it reports, or nothing if it does not report in time."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setpgid(0, 0)
            quiet = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(quiet, stream)
            work(lambda words: _write(writing, words))
        finally:
            os._exit(0)
    os.close(writing)
    said, until = b"", time.monotonic() + seconds
    try:
        while select.select([reading], [], [], max(0.0, until - time.monotonic()))[0]:
            part = os.read(reading, 1 << 16)
            if not part:
                break
            said += part
    finally:
        os.close(reading)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return said.decode()


def _write(pipe: int, words: str) -> None:
    left = words.encode()
    while left:
        left = left[os.write(pipe, left) :]


def main() -> None:
    """Run as the command line says, folder by folder, and print the share of mutants detected."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--seed", type=int, default=30)
    parser.add_argument("--modules", default="12", help="how many by chance, or paths with commas between them")
    parser.add_argument("--mutants", type=int, default=20, help="how many of each module")
    asked = parser.parse_args()
    by_chance = asked.modules.isdigit()
    modules = (
        chosen_modules(asked.seed, int(asked.modules), asked.mutants) if by_chance else asked.modules.split(",")
    )
    killed: dict[str, list[bool]] = {}
    for room in sorted({_room(module) for module in modules}):
        spoiler = Spoiler(asked.seed, [module for module in modules if _room(module) == room], asked.mutants)
        pytest.main(["-q", "-p", "no:cacheprovider", "-q", "--capture=no", str(room)], plugins=[spoiler])
        killed |= spoiler.killed
    for module, fates in killed.items():
        print(f"{module}: {sum(fates)} of {len(fates)} noticed")
    fates = [fate for some in killed.values() for fate in some]
    print(f"all: {sum(fates)} of {len(fates)} noticed, {sum(fates) / max(1, len(fates)):.1%}")


if __name__ == "__main__":
    # Marked functions import this module by its name.
    sys.modules["tests.mutation"] = sys.modules["__main__"]
    import tests

    tests.mutation = sys.modules["__main__"]
    main()
