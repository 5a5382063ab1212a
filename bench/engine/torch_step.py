"""The training step of `train-step.mjs` in PyTorch: same model, adapters, loss and optimiser, so same losses.

python3 torch_step.py <model folder> <step folder>, then on stdin a number of steps per line. Each line is answered by
one of JSON: {"ms": [per step], "losses": [per step]}.
"""

import json
import sys
import time
from pathlib import Path

import torch
from torch.nn.functional import silu

FLOAT_BYTES = 4
PROJECTIONS = {
    "self_attn": ["q_proj", "k_proj", "v_proj", "o_proj"],
    "mlp": ["gate_proj", "up_proj", "down_proj"],
}


def read_safetensors(path):
    """Tensors by name, float32. Format: https://github.com/huggingface/safetensors"""
    content = bytearray(path.read_bytes())
    header_end = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:header_end])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        assert entry["dtype"] == "F32", name
        start, end = entry["data_offsets"]
        flat = torch.frombuffer(content, dtype=torch.float32, count=(end - start) // FLOAT_BYTES, offset=header_end + start)
        tensors[name] = flat.clone().reshape(entry["shape"])
    return tensors


class LoraLlama:
    """A frozen Llama decoder with trained low-rank adapters on all projections, written for speed as PyTorch has it."""

    def __init__(self, config, weights, adapters, scale, length):
        self.config, self.weights, self.scale = config, weights, scale
        self.adapters = {name: tensor.requires_grad_() for name, tensor in adapters.items()}
        half = config["head_dim"] // 2
        frequencies = config["rope_theta"] ** (-torch.arange(half, dtype=torch.float64) / half)
        angles = torch.outer(torch.arange(length, dtype=torch.float64), frequencies).float()
        self.cosines, self.sines = angles.cos(), angles.sin()
        self.mask = torch.full((length, length), float("-inf")).triu(1)

    def log_probabilities(self, ids, wanted):
        """ids [batch, length], wanted: indices into the flattened ids. Returns [wanted, vocabulary]."""
        embedding = self.weights["model.embed_tokens.weight"]
        hidden = embedding[ids]
        for layer in range(self.config["num_hidden_layers"]):
            path = f"model.layers.{layer}"
            hidden = hidden + self.attention(path, self.norm(hidden, f"{path}.input_layernorm.weight"))
            hidden = hidden + self.feed_forward(path, self.norm(hidden, f"{path}.post_attention_layernorm.weight"))
        hidden = self.norm(hidden.flatten(0, 1)[wanted], "model.norm.weight")
        return torch.log_softmax(hidden @ embedding.t(), -1)

    def norm(self, hidden, name):
        variance = hidden.pow(2).mean(-1, keepdim=True)
        return self.weights[name] * (hidden * torch.rsqrt(variance + self.config["rms_norm_eps"]))

    def project(self, hidden, path):
        down, up = self.adapters[f"{path}.lora_A.weight"], self.adapters[f"{path}.lora_B.weight"]
        return hidden @ self.weights[f"{path}.weight"].t() + (hidden @ down.t()) @ up.t() * self.scale

    def attention(self, path, hidden):
        batch, length, _ = hidden.shape
        heads, size = self.config["num_attention_heads"], self.config["head_dim"]
        split = lambda name: self.project(hidden, f"{path}.self_attn.{name}").view(batch, length, heads, size).transpose(1, 2)
        query, key, value = self.rotate(split("q_proj")), self.rotate(split("k_proj")), split("v_proj")
        scores = query @ key.transpose(2, 3) * size**-0.5 + self.mask
        mixed = torch.softmax(scores, -1) @ value
        return self.project(mixed.transpose(1, 2).reshape(batch, length, heads * size), f"{path}.self_attn.o_proj")

    def rotate(self, heads):
        first, second = heads.chunk(2, -1)
        return torch.cat((first * self.cosines - second * self.sines, second * self.cosines + first * self.sines), -1)

    def feed_forward(self, path, hidden):
        gate, up = (self.project(hidden, f"{path}.mlp.{name}") for name in ("gate_proj", "up_proj"))
        return self.project(silu(gate) * up, f"{path}.mlp.down_proj")


def cispo(log_probabilities, batch, settings):
    """The loss of `libs/engine/src/train/policy-loss.ts` as it is by default."""
    lp = log_probabilities.gather(1, batch["targets"][:, None])[:, 0]
    ratio = torch.exp(lp.detach() - batch["old"]).clamp(1 - settings["epsilon"], 1 + settings["epsilonHigh"])
    return -(batch["weight"] * ratio * batch["advantage"] * lp).sum()


def main():
    model_folder, step_folder = (Path(argument) for argument in sys.argv[1:3])
    step = json.loads((step_folder / "step.json").read_text())
    torch.set_num_threads(step["threads"])
    batch = {name: torch.tensor(values) for name, values in step["batch"].items()}
    config = json.loads((model_folder / "config.json").read_text())
    adapters = read_safetensors(step_folder / "adapter.safetensors")
    weights = read_safetensors(model_folder / "model.safetensors")
    model = LoraLlama(config, weights, adapters, step["scale"], batch["ids"].shape[1])
    parameters = list(model.adapters.values())
    optimiser, settings = step["optimiser"], step["loss"]
    adam = torch.optim.AdamW(
        parameters,
        lr=step["learningRate"],
        betas=(optimiser["beta1"], optimiser["beta2"]),
        eps=optimiser["epsilon"],
        weight_decay=optimiser["weightDecay"],
        foreach=True,
    )
    for line in sys.stdin:
        answer = {"ms": [], "losses": []}
        for _ in range(int(line)):
            begin = time.perf_counter()
            adam.zero_grad(set_to_none=True)
            loss = cispo(model.log_probabilities(batch["ids"], batch["wanted"]), batch, settings)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, optimiser["maxGradientNorm"])
            adam.step()
            answer["losses"].append(loss.item())
            answer["ms"].append((time.perf_counter() - begin) * 1_000)
        print(json.dumps(answer), flush=True)


main()
