"""One part of each kind that other packages can publish for xwtui."""
