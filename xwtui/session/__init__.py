"""What a face holds: the document with its journal, the words, the running jobs, and the verbs."""
