"""Synthetic pictures: shapes, scenes, captions and questions."""
