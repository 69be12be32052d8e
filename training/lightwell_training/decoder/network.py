"""Llama-style decoder: RMSNorm, rotary positions, SwiGLU, no biases, tied embeddings."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

FREE_SCORE = 4.0  # attention scores up to this size cost nothing in training


@dataclass(frozen=True)
class Shape:
    """Sizes of the network. Names follow the hub's LlamaConfig where it has one."""

    vocab_size: int = 4096
    hidden_size: int = 256
    num_layers: int = 5
    num_heads: int = 8
    intermediate_size: int = 704
    max_positions: int = 1024
    rope_theta: float = 10000.0
    norm_eps: float = 1e-5

    @property
    def head_size(self) -> int:
        return self.hidden_size // self.num_heads


class Norm(nn.Module):
    """RMSNorm: x / sqrt(mean(x^2) + eps) * weight, over the last axis."""

    def __init__(self, width: int, eps: float):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.weight, self.eps)


def rotary_tables(shape: Shape, length: int):
    """Cosines and sines of the rotary angles, two float32 arrays [length, head_size], halves repeated as in Llama."""
    half = torch.arange(0, shape.head_size, 2, dtype=torch.float32)
    inverse = shape.rope_theta ** (-half / shape.head_size)
    angles = torch.arange(length, dtype=torch.float32)[:, None] * inverse
    angles = torch.cat([angles, angles], dim=-1)
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    """Rotates pairs (i, i + head_size / 2) of x [batch, heads, tokens, head_size]."""
    a, b = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-b, a], dim=-1) * sin


def sharpness(q, k):
    """How far scores could exceed FREE_SCORE in size: mean over tokens, sum over heads.

    The bound comes from the lengths of q and k [batch, heads, tokens, head_size].
    """
    bound = (q.float().square().sum(-1) + k.float().square().sum(-1)) / (
        2 * q.shape[-1] ** 0.5
    )  # at least |q k| / sqrt(head_size)
    return F.relu(bound - FREE_SCORE).mean(dim=(0, 2)).sum()


def causal_attention(q, k, v):
    """Causal attention of q, k, v [batch, heads, tokens, head_size], one block of queries after the other.

    Each block meets the keys up to its end. Compiled, forward and backward together take 0.4 (512 tokens) to 0.7
    (1,024) of the time of PyTorch 2.13's own kernel on AVX-512. No maximum is taken off before exp: `sharpness` keeps
    scores small, and float32 holds exp up to 88.
    """
    tokens = q.shape[2]
    size = max(64, tokens // 8)
    lower, blocks, q = torch.ones(size, size, dtype=torch.bool).tril(), [], q * q.shape[-1] ** -0.5
    for start in range(0, tokens, size):
        stop = min(start + size, tokens)
        powers = (q[:, :, start:stop] @ k[:, :, :stop].transpose(-1, -2)).float().exp()
        own = powers[..., start:] * lower[: stop - start, : stop - start]
        powers = torch.cat([powers[..., :start], own], dim=-1) if start else own
        blocks.append((powers.to(v.dtype) @ v[:, :, :stop]) / powers.sum(-1, keepdim=True))
    return torch.cat(blocks, dim=2).to(v.dtype)


class Attention(nn.Module):
    """Causal self-attention; `bias` is added to the scores (AtMan), [batch or 1, 1, 1 or tokens, tokens].

    Returns its output and sharpness.
    """

    def __init__(self, shape: Shape):
        super().__init__()
        width = shape.hidden_size
        self.heads, self.head_size = shape.num_heads, shape.head_size
        self.q_proj = nn.Linear(width, width, bias=False)
        self.k_proj = nn.Linear(width, width, bias=False)
        self.v_proj = nn.Linear(width, width, bias=False)
        self.o_proj = nn.Linear(width, width, bias=False)

    def forward(self, x, cos, sin, bias=None):
        batch, tokens, width = x.shape

        def split(y):
            return y.view(batch, tokens, self.heads, self.head_size).transpose(1, 2)

        q = rotate(split(self.q_proj(x)), cos, sin)
        k = rotate(split(self.k_proj(x)), cos, sin)
        v = split(self.v_proj(x))
        if bias is None:
            mixed = causal_attention(q.to(v.dtype), k.to(v.dtype), v)
        else:
            causal = torch.full((tokens, tokens), float("-inf")).triu(1)
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=causal + bias)
        return self.o_proj(mixed.transpose(1, 2).reshape(batch, tokens, width)), sharpness(q, k)


class Layer(nn.Module):
    """Pre-norm attention and SwiGLU, each added to the residual stream.

    Returns the stream and the attention's sharpness.
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.input_layernorm = Norm(shape.hidden_size, shape.norm_eps)
        self.self_attn = Attention(shape)
        self.post_attention_layernorm = Norm(shape.hidden_size, shape.norm_eps)
        self.gate_proj = nn.Linear(shape.hidden_size, shape.intermediate_size, bias=False)
        self.up_proj = nn.Linear(shape.hidden_size, shape.intermediate_size, bias=False)
        self.down_proj = nn.Linear(shape.intermediate_size, shape.hidden_size, bias=False)

    def forward(self, x, cos, sin, bias=None):
        mixed, sharp = self.self_attn(self.input_layernorm(x), cos, sin, bias)
        x = x + mixed
        y = self.post_attention_layernorm(x)
        return x + self.down_proj(F.silu(self.gate_proj(y)) * self.up_proj(y)), sharp


class Decoder(nn.Module):
    """Token ids [batch, tokens] to logits [batch, tokens, vocab]."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.embed_tokens = nn.Embedding(shape.vocab_size, shape.hidden_size)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.num_layers))
        self.norm = Norm(shape.hidden_size, shape.norm_eps)
        cos, sin = rotary_tables(shape, shape.max_positions)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        self.apply(self._initialise)
        for layer in self.layers:  # residual branches start small, so that depth does not grow the stream
            for branch in (layer.self_attn.o_proj, layer.down_proj):
                branch.weight.data.mul_((2 * shape.num_layers) ** -0.5)

    def _initialise(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, ids, bias=None):
        return self.logits_and_sharpness(ids, bias)[0]

    def logits_and_sharpness(self, ids, bias=None):
        """Logits, and the sharpness of the attention summed over layers and heads, which training keeps low."""
        tokens = ids.shape[1]
        cos, sin = self.cos[:tokens], self.sin[:tokens]
        x, total = self.embed_tokens(ids), 0.0
        for layer in self.layers:
            x, sharp = layer(x, cos, sin, bias)
            total = total + sharp
        return F.linear(self.norm(x), self.embed_tokens.weight), total


def load_model(checkpoint):
    """The decoder of a checkpoint, ready to measure, and the state of its training.

    The state has step, tokens, rows used and seed.
    """
    saved = torch.load(checkpoint, weights_only=False, map_location="cpu")
    model = Decoder(Shape(**saved["shape"]))
    model.load_state_dict(saved["model"])
    return model.eval(), {**saved["state"], "used": saved["used"], "seed": saved["seed"]}


def matrices(module):
    """Weights that Muon trains: matrices, except embeddings."""
    return [p for name, p in module.named_parameters() if p.ndim == 2 and "embed" not in name]


def others(module):
    """Weights that AdamW trains: embeddings, convolutions, positions, norms."""
    return [p for name, p in module.named_parameters() if p.ndim != 2 or "embed" in name]
