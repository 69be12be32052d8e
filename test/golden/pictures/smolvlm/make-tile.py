"""Notes what SmolVLM's own processor makes of a picture: the tile in which it shows the whole of it.

    python make-tile.py > tile.json

Needs transformers, pillow and numpy. The tile stands behind those that the picture is cut into.
"""

import json

import numpy
from PIL import Image
from transformers.models.smolvlm.image_processing_pil_smolvlm import SmolVLMImageProcessorPil

SIDE = 48
COLOURS = [[[x * 5, y * 5, x * y // 9] for x in range(SIDE)] for y in range(SIDE)]

processor = SmolVLMImageProcessorPil(size={"longest_edge": 64}, max_image_size={"longest_edge": 16})
picture = Image.fromarray(numpy.array(COLOURS, dtype=numpy.uint8))
tiles = processor([[picture]], return_tensors="np")["pixel_values"][0]
whole = numpy.rint((tiles[-1] / 2 + 0.5) * 255).astype(int)
print(json.dumps({"processor": processor.to_dict(), "tiles": len(tiles), "whole": whole.flatten().tolist()}, default=int))
