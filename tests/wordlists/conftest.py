"""Let the tests import the build script's package, which is no part of xwtui."""

import sys

from xwtui.resources import wordlists_folder

sys.path.append(str(wordlists_folder()))
