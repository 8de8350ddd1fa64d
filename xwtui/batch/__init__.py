"""Many fills, designs, races and counts, on all cores or many machines, with the results in one file.

A batch is a list of tasks, each named by the hash of everything it depends on (`tasks`). A task and its result are
bytes (`work`, `tasks`), so any process can run it, and running it twice gives the same result. Results are checked
on arrival (`judge`) and stored in one SQLite file (`store`), which knows which tasks are unfinished. `run`
connects the store to a pool of workers; the pool that ships is Dask (`dask_pool`).
"""
