"""Make the build script's package, which is not part of xwtui, importable."""

import sys

from xwtui.resources import wordlists_folder

sys.path.append(str(wordlists_folder()))
