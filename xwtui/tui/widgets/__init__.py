"""The widgets of the screen: each draws one thing and knows nothing of the others."""
