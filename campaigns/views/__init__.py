"""Pages of people and chronicles. Each view checks access, reads a form, calls one service and shows the result."""
