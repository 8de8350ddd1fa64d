"""Taking from domains what cannot be: crossings, answers that must differ, global constraints, bounds."""
