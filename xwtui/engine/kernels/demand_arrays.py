"""How the global demands lie in the network's arrays.

`Network.demands` is empty where nothing is demanded of squares and slots. Else it has a header, one
record for each quota (those on squares first), the squares of the quotas, and three cells for each
link: two squares and a mask of symbols.

`Network.keys` is empty where no words have keys. Else it has a header and five lists. Row r (counted
over all tables) has the keys `keys[s:e]`, where s and e are at `keys[ROW_STARTS] + r` and after it; key k is
found likewise in the rows (counted over all tables, in rising order) from `keys[KEY_STARTS] + k` on, and
table t is used by the slots from `keys[TABLE_STARTS] + t` on. All starts are places in `keys`.
"""

# Header of Network.demands.
SQUARE_QUOTAS = 0
"""How many quotas on squares there are."""
QUOTAS = 1
"""How many quotas there are in all."""
LINKS = 2
"""Where the links start; the end of the array ends them."""
FIRST_QUOTA = 3

# Columns of a quota.
LEAST = 0
MOST = 1
SYMBOLS = 2
"""The symbols that count, as bits; of a quota on slots, where its bit-sets of rows start in
`Network.quota_rows`: one for each slot, laid out as the domains are."""
SQUARES = 3
"""Where its squares start."""
SQUARES_END = 4
SOUGHT = 5
"""Whether it is unlikely to be met by chance, so that the search sees to it first."""
QUOTA_COLUMNS = 6

LINK_COLUMNS = 3

# Header of Network.keys.
ROW_STARTS = 0
KEY_STARTS = 1
TABLE_STARTS = 2
KEYS_HEADER = 3
