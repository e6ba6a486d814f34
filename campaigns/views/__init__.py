"""Pages of people and chronicles. Each view guards, reads a form, calls one service and shows the outcome."""
