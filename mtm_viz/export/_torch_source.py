"""The PyTorch module written beside the weights: one file that needs torch and nothing of this project."""

SOURCE = '''"""A Transformer on the sphere that carries given token clouds to given targets (arXiv:2411.04551), computed by mtm_viz.

    from STEM_transformer import SphereTransformer
    model = SphereTransformer.load("STEM.safetensors")
    moved = model(tokens, weights)          # tokens (..., n, d) on the unit sphere, weights (..., n) or None

Needs torch and nothing else. `python` this file to see how far the network ends from the continuous flow.
"""

import json
import struct
import sys

import torch

TYPES = {"F64": torch.float64, "F32": torch.float32, "I64": torch.int64}


def read_safetensors(path):
    """The tensors of a safetensors file by name, and its metadata."""
    with open(path, "rb") as stream:
        content = bytearray(stream.read())
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        flat = torch.frombuffer(content[begin:end], dtype=TYPES[entry["dtype"]])
        tensors[name] = flat.reshape(entry["shape"]).clone()
    return tensors, metadata


def normalise(x):
    return x / x.norm(dim=-1, keepdim=True)


def tangent(x, force):
    """The part of `force` tangent to the sphere at x."""
    return force - (force * x).sum(dim=-1, keepdim=True) * x


class SphereTransformer(torch.nn.Module):
    """L layers: attention, then a perceptron, each a tangent residual step followed by normalisation.

    V, B (L, d, d), W (L, d, p), U (L, p, d), b (L, p); V and W include the step size.
    """

    def __init__(self, V, B, W, U, b, metadata=None):
        super().__init__()
        self.V, self.B = torch.nn.Parameter(V), torch.nn.Parameter(B)
        self.W, self.U, self.b = torch.nn.Parameter(W), torch.nn.Parameter(U), torch.nn.Parameter(b)
        self.metadata = metadata or {}

    @classmethod
    def load(cls, path, dtype=torch.float64, device="cpu"):
        """float64 keeps the digits of the construction; float32 is what most networks use."""
        tensors, metadata = read_safetensors(path)
        names = ("attention.V", "attention.B", "mlp.W", "mlp.U", "mlp.b")
        return cls(*(tensors[name].to(device=device, dtype=dtype) for name in names), metadata=metadata)

    def __len__(self):
        return len(self.V)

    def attention(self, k, x, log_weights):
        """A_B[mu](x_i) = sum_j w_j exp<B x_i, x_j> x_j / sum_j w_j exp<B x_i, x_j>."""
        logits = x @ self.B[k].T @ x.transpose(-1, -2)
        if log_weights is not None:
            logits = logits + log_weights[..., None, :]
        return torch.softmax(logits, dim=-1) @ x

    def forward(self, tokens, weights=None, layers=None):
        """The images of a cloud, or of a batch of clouds, after all layers or after the first `layers`."""
        x = tokens.to(dtype=self.V.dtype, device=self.V.device)
        log_weights = None if weights is None else weights.to(x).log()
        attends = self.V.detach().abs().amax(dim=(1, 2)).gt(0).tolist()
        acts = self.W.detach().abs().amax(dim=(1, 2)).gt(0).tolist()
        for k in range(len(self) if layers is None else min(layers, len(self))):
            if attends[k]:
                x = normalise(x + tangent(x, self.attention(k, x, log_weights) @ self.V[k].T))
            if acts[k]:
                x = normalise(x + tangent(x, torch.relu(x @ self.U[k].T + self.b[k]) @ self.W[k].T))
        return x


if __name__ == "__main__":
    path = sys.argv[1] if len(sys.argv) > 1 else "STEM.safetensors"
    tensors, metadata = read_safetensors(path)
    model = SphereTransformer.load(path)
    print(len(model), "layers,", metadata["segments"], "segments")
    with torch.no_grad():
        for i, name in enumerate(json.loads(metadata["names"])):
            moved = model(tensors[f"tokens.{i}"], tensors[f"weights.{i}"])
            chord = (moved - tensors[f"end.{i}"]).norm(dim=-1)
            print(f"{name}: farthest token ends {2 * torch.asin(chord.max() / 2):.2e} rad from the continuous flow")
'''
