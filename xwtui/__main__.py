"""`python -m xwtui` is `xwtui`."""

from xwtui.cli import main

if __name__ == "__main__":
    main()
