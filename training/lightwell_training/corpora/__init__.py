"""The corpora: where each comes from, its licence and its checksum."""
