"""The decoder with eyes: an encoder makes 144 embeddings of a picture, which the decoder reads among words.

The encoder looks at a neighbourhood only: convolutions of 3 x 3 tiles, no attention. What a tile's embedding says is
then in and around that tile, and suppressing tiles (AtMan) shows where an answer was read.
"""

import itertools
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from lightwell_training.decoder.network import Decoder, Norm
from lightwell_training.vision.scenes.scenes import BACKGROUNDS, CELLS, COLOURS, SIDE, SIZES, TILES
from lightwell_training.vision.scenes.shapes import SHAPES

TOKENS = TILES * TILES
NOTHING = 0.1  # weight of a tile without an object, of which there are some fifteen for each tile with one
MEAN, DEVIATION = 0.5, 0.5  # of pixels between 0 and 1


@dataclass(frozen=True)
class VisionShape:
    """Sizes of the encoder.

    At 96 pixels a small digit is 13 wide, which is still legible, and a picture costs a tenth of what its 144 tokens
    cost the decoder.
    """

    image_size: int = SIDE
    stem: tuple = (32, 64)
    width: int = 192
    blocks: int = 3
    inner: int = 384
    out: int = 256
    norm_eps: float = 1e-5


def to_pixels(pictures):
    """Pictures uint8 [images, side, side, 3] as the encoder takes them, float32 [images, 3, side, side], -1 to 1."""
    return (torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255 - MEAN) / DEVIATION


class Block(nn.Module):
    """Mixes each channel over 3 x 3 tiles, then the channels of each tile; x is [images, tokens, width]."""

    def __init__(self, shape: VisionShape):
        super().__init__()
        self.spatial_norm = Norm(shape.width, shape.norm_eps)
        self.spatial = nn.Conv2d(shape.width, shape.width, 3, padding=1, groups=shape.width, bias=False)
        self.channel_norm = Norm(shape.width, shape.norm_eps)
        self.up_proj = nn.Linear(shape.width, shape.inner, bias=False)
        self.down_proj = nn.Linear(shape.inner, shape.width, bias=False)

    def forward(self, x):
        images, _, width = x.shape
        grid = self.spatial_norm(x).transpose(1, 2).reshape(images, width, TILES, TILES)
        x = x + self.spatial(grid).flatten(2).transpose(1, 2)
        return x + self.down_proj(F.silu(self.up_proj(self.channel_norm(x))))


class PatchEncoder(nn.Module):
    """Pixels [images, 3, side, side] to embeddings [images, 144, out], row by row from the top left."""

    def __init__(self, shape: VisionShape):
        super().__init__()
        self.shape = shape
        sizes = (3, *shape.stem, shape.width)
        self.stem = nn.ModuleList(nn.Conv2d(a, b, 4, stride=2, padding=1) for a, b in itertools.pairwise(sizes))
        self.rows = nn.Parameter(0.02 * torch.randn(TILES, 1, shape.width))
        self.columns = nn.Parameter(0.02 * torch.randn(1, TILES, shape.width))
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.blocks))
        self.norm = Norm(shape.width, shape.norm_eps)
        self.proj = nn.Linear(shape.width, shape.out, bias=False)
        self.out_norm = Norm(shape.out, shape.norm_eps)

    def forward(self, pixels):
        x = pixels
        for index, layer in enumerate(self.stem):
            x = layer(x if index == 0 else F.silu(x))
        x = x.flatten(2).transpose(1, 2) + (self.rows + self.columns).flatten(0, 1)
        for block in self.blocks:
            x = block(x)
        return self.out_norm(self.proj(self.norm(x)))

    def as_loud_as(self, embedding):
        """Starts the embeddings at the size that words have, so that the decoder does not read them as noise."""
        self.out_norm.weight.data.fill_(embedding.square().mean().sqrt().item())


class Readout(nn.Module):
    """Reads labels of tiles off the embeddings, as words.

    A class's direction is its word's embedding in the decoder, which stays fixed.

    So the encoder learns to say "red" and "circle" in the language that the decoder already reads. Used in training
    only.
    """

    def __init__(self, embedding, tokenizer, width):
        super().__init__()
        groups = ((*SHAPES,), (*COLOURS,), (*SIZES,), CELLS, (*BACKGROUNDS,))
        space = tokenizer.encode(" 0").ids[0]
        for index, words in enumerate(groups):
            ids = [[token for token in tokenizer.encode(f" {word}").ids if token != space] for word in words]
            rows = torch.stack([F.normalize(embedding[row].mean(0), dim=-1) for row in ids])
            self.register_buffer(f"words_{index}", rows - rows.mean(0))
        self.register_buffer("share", torch.tensor([NOTHING, *[1.0] * len(SHAPES)]), persistent=False)
        self.nothing = nn.Parameter(torch.zeros(width))
        self.temperatures = nn.Parameter(torch.full((len(groups),), 16.0))

    def scores(self, features):
        """Per group, scores of its classes, [images, tokens, classes]; the first class of shapes is "nothing"."""
        direction = F.rms_norm(features.float(), (features.shape[-1],)) * features.shape[-1] ** -0.5
        for index, temperature in enumerate(self.temperatures):
            words = getattr(self, f"words_{index}")
            words = torch.cat([self.nothing[None], words]) if index == 0 else words
            yield temperature * F.linear(direction, words)

    def loss(self, features, labels):
        """Mean over the groups of their mean cross-entropy.

        `labels` int64 [images, 5, tokens], -100 where one does not apply.
        """
        losses = [
            F.cross_entropy(scores.flatten(0, 1), labels[:, index].flatten(), weight=None if index else self.share)
            for index, scores in enumerate(self.scores(features))
        ]
        return torch.stack(losses).mean()

    def accuracies(self, features, labels):
        """Share of tiles that are read right, by group: shape where there is one, colour, size, cell, background."""
        shares = []
        for index, scores in enumerate(self.scores(features)):
            counted = labels[:, index] > 0 if index == 0 else labels[:, index] >= 0
            shares.append((scores.argmax(-1) == labels[:, index])[counted].float().mean().item())
        return shares


class VisionLanguage(nn.Module):
    """Decoder and encoder. A picture stands as 144 embeddings in the prompt, at any place."""

    def __init__(self, decoder: Decoder, encoder: PatchEncoder):
        super().__init__()
        self.decoder, self.encoder = decoder, encoder

    def embeddings(self, ids, features, first):
        """Word embeddings of `ids` [rows, tokens], with pictures in their places.

        `features` [rows, 144, width] replace the positions from `first` [rows] on.
        """
        offsets = torch.arange(ids.shape[1]) - first[:, None]  # [rows, tokens]
        index = offsets.clamp(0, TOKENS - 1)[..., None].expand(-1, -1, features.shape[-1])
        placed = torch.gather(features, 1, index)
        inside = ((offsets >= 0) & (offsets < TOKENS))[..., None]
        words = self.decoder.embed_tokens(ids)
        return torch.where(inside, placed.to(words.dtype), words)

    def logits_and_sharpness(self, embeddings, bias=None):
        """As the decoder's own, from embeddings [rows, tokens, width]."""
        decoder, tokens = self.decoder, embeddings.shape[1]
        x, total = embeddings, 0.0
        for layer in decoder.layers:
            x, sharp = layer(x, decoder.cos[:tokens], decoder.sin[:tokens], bias)
            total = total + sharp
        return F.linear(decoder.norm(x), decoder.embed_tokens.weight), total

    def forward(self, pixels, ids, first, bias=None):
        """Logits [rows, tokens, vocab] of rows with one picture each."""
        return self.logits_and_sharpness(self.embeddings(ids, self.encoder(pixels), first), bias)[0]
