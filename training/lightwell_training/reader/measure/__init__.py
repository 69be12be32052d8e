"""The reader's figures, its calibration and its model card."""
