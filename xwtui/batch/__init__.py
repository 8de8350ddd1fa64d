"""Many fills, designs, races and counts, on all cores or on many machines; their results in one file.

A batch is a list of tasks, each named by the hash of all that it depends on (`tasks`). A task and its result are
bytes (`work`, `tasks`), so that any process can do it, once or twice, with the same end. Results are judged
where they arrive (`judge`) and kept in one SQLite file (`store`), which knows what is still to be done; `run`
brings the two together, over whatever does the tasks: Dask (`dask_pool`) is the one that ships.
"""
