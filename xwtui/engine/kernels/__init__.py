"""All compiled code of the fill engine: small files of array kernels, no strings, no Python objects.

Numba reads NUMBA_OPT when it is first imported. At 3, its default, the kernels run no faster than at 2, and
take a twelfth longer to compile.
"""

import os

os.environ.setdefault("NUMBA_OPT", "2")
