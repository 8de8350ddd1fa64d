"""What goes on beside the face: each job has a thread of its own and tells how it stands."""
