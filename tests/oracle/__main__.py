"""Share of the program's statements that are true, as a table.

python -m tests.oracle --kind shares --seeds 0:500
"""

import os
import tempfile

import click

from tests.oracle.kinds import KINDS, report, run


@click.command()
@click.option("--kind", "kinds", type=click.Choice(tuple(KINDS)), multiple=True, help="all if none is named")
@click.option("--seeds", default="0:50", show_default=True, help="the first, and the one after the last")
@click.option("--show", default=3, show_default=True, help="false statements of a claim that are shown")
def main(kinds: tuple[str, ...], seeds: str, show: int) -> None:
    """Check what the program says about random problems against all their fills."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ[name] = tempfile.mkdtemp(prefix="xwtui-oracle-")
    first, last = map(int, seeds.split(":"))
    shown: list[str] = []
    click.echo(f"{'kind':12} {'claim':44} {'checked':>8} {'false':>6}")
    for kind in kinds or KINDS:
        tally = run(kind, range(first, last))
        for claim, number in tally.checked.items():
            false = [(seed, one) for seed, one in tally.false if one.claim == claim]
            click.echo(f"{kind:12} {claim:44} {number:8} {len(false):6}")
            shown += [report(kind, seed, one) for seed, one in false[:show]]
    click.echo("".join(f"\n{one}\n" for one in shown), nl=False)


if __name__ == "__main__":
    main()
