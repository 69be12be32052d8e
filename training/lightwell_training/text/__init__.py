"""Token streams: what the decoder reads, by domain."""
