"""The program: `xwtui`, which is `python -m xwtui`."""

from typing import NoReturn

from xwtui.memory import begin_process


def main() -> NoReturn:
    """Run the `xwtui` command; never returns."""
    begin_process()
    from xwtui import start  # noqa: PLC0415  what is loaded with it is no garbage

    start.main()


if __name__ == "__main__":
    main()
