"""The packages in `examples`, as Vesper plays them."""
