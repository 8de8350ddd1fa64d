"""The editor's parts, each with one job: they share a context, and the editor dispatches to them."""
