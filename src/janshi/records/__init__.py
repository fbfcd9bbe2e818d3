"""Game records: one model (`Game`), a reader and a writer per format, folders and archives of them."""
