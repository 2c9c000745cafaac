"""The compiled machine: a game lowered to WebAssembly, giving the answers of the reference, fast."""
