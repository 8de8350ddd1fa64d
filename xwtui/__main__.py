"""`python -m xwtui` is `xwtui`."""

from xwtui.start import main

if __name__ == "__main__":
    main()
