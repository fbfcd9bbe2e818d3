"""Learning from records: data, networks, training. Needs PyTorch (``pip install -e '.[learn]'``)."""
