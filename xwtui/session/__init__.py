"""What a face holds: the document with its journal, the lexicon, the running jobs, and the verbs."""
