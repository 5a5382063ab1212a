"""What Hugging Face's transformers computes with small random models of each family: the files <family>.json beside
this one, which families.spec.ts holds the engine against.

    uv venv --python 3.12 .venv && uv pip install --python .venv/bin/python torch transformers
    .venv/bin/python libs/engine/src/oracle/transformers/make_expected.py

A weight is a number of its tensor's name and its place in it, in exact integer arithmetic, so that the spec makes the
same ones (numbers.fixture.ts).
"""

import json
import math
import pathlib
import sys

import torch
import transformers

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent))
from numbers_of import numbers  # noqa: E402
IDS = [1, 280, 17, 3, 3, 99, 104, 250, 7, 64, 201, 12, 33, 180, 5, 5, 71, 140, 222, 9, 260, 81, 45, 150]
POSITIONS = [0, 4, 5, 11, 23]
RANK, ALPHA = 2, 3.0
PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]

SMALL = {
    "vocab_size": 288, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 256, "rms_norm_eps": 1e-5, "bos_token_id": 264,
    "eos_token_id": 265,
}
LLAMA3 = {
    "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 32,
}
# config.json in the form of transformers 4, as published models have it.
FAMILIES = {
    "llama": {**SMALL, "architectures": ["LlamaForCausalLM"], "model_type": "llama", "rope_theta": 500000.0,
              "rope_scaling": {"rope_type": "llama3", **LLAMA3}, "tie_word_embeddings": True},
    "llama-biases": {**SMALL, "architectures": ["LlamaForCausalLM"], "model_type": "llama", "attention_bias": True,
                     "mlp_bias": True, "rope_scaling": {"type": "linear", "factor": 2.0}},
    "mistral": {**SMALL, "architectures": ["MistralForCausalLM"], "model_type": "mistral", "sliding_window": 5,
                "head_dim": 16, "tie_word_embeddings": False},
    "qwen2": {**SMALL, "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "rope_theta": 1000000.0,
              "sliding_window": 5, "use_sliding_window": False, "max_window_layers": 1, "tie_word_embeddings": True},
    "qwen2-window": {**SMALL, "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "sliding_window": 5,
                     "use_sliding_window": True, "max_window_layers": 1},
    "qwen3": {**SMALL, "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "head_dim": 16,
              "rope_theta": 1000000.0, "sliding_window": None, "use_sliding_window": False,
              "tie_word_embeddings": True},
    "smollm3": {**SMALL, "architectures": ["SmolLM3ForCausalLM"], "model_type": "smollm3", "num_hidden_layers": 4,
                "no_rope_layers": [1, 1, 1, 0], "no_rope_layer_interval": 4, "rope_theta": 5000000.0,
                "use_sliding_window": False, "sliding_window": None, "pad_token_id": 0},
    "gemma2": {**SMALL, "architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2", "head_dim": 16,
               "hidden_act": "gelu_pytorch_tanh", "hidden_activation": "gelu_pytorch_tanh", "sliding_window": 5,
               "query_pre_attn_scalar": 24, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0,
               "rope_theta": 10000.0, "pad_token_id": 0},
    "gemma3": {**SMALL, "architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text", "num_hidden_layers": 6,
               "head_dim": 16, "hidden_activation": "gelu_pytorch_tanh", "sliding_window": 5,
               "sliding_window_pattern": 6, "query_pre_attn_scalar": 24, "rope_theta": 1000000.0,
               "rope_local_base_freq": 10000.0, "rope_scaling": {"rope_type": "linear", "factor": 4.0},
               "pad_token_id": 0},
}
# Of what transformers writes, the fields that say nothing about the computation are left out of the files.
UNREAD = ("_name_or_path", "transformers_version", "attention_dropout", "initializer_range", "use_cache", "return_dict",
          "output_hidden_states", "output_attentions", "chunk_size_feed_forward", "id2label", "label2id",
          "is_encoder_decoder", "problem_type", "pretraining_tp")


def weight(name, shape, is_gemma):
    values = torch.tensor(numbers(name, math.prod(shape)), dtype=torch.float64)
    if name.endswith("norm.weight"):
        values = values * 0.3 + (0 if is_gemma else 1)
    else:
        values = values * (0.5 if len(shape) == 1 else math.sqrt(3 / shape[1]))
    return values.to(torch.float32).reshape(shape)


def log_probabilities(model):
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([IDS])).logits[0]
    rows = torch.log_softmax(logits.double(), dim=-1)[POSITIONS]
    return [[round(value, 6) for value in row] for row in rows.tolist()]


def main():
    torch.set_num_threads(1)
    for family, fields in FAMILIES.items():
        config = transformers.AutoConfig.for_model(**{k: v for k, v in fields.items() if k != "architectures"})
        config._attn_implementation = "eager"
        model = getattr(transformers, fields["architectures"][0])(config).float().eval()
        is_gemma = family.startswith("gemma")
        tied = "lm_head.weight" if config.tie_word_embeddings else None
        state = {name: weight(name, tuple(t.shape), is_gemma) for name, t in model.state_dict().items() if name != tied}
        model.load_state_dict(state, strict=False)
        model.tie_weights()
        plain = log_probabilities(model)
        for name, module in model.named_modules():
            if name.split(".")[-1] in PROJECTIONS:
                out, width = module.weight.shape
                a = weight(f"{name}.lora_A.weight", (RANK, width), is_gemma)
                b = weight(f"{name}.lora_B.weight", (out, RANK), is_gemma)
                module.weight.data += ALPHA / RANK * (b @ a)
        adapted = log_probabilities(model)
        newer = {key: value for key, value in json.loads(config.to_json_string()).items() if key not in UNREAD}
        newer.update(architectures=fields["architectures"], dtype="float32")
        content = {"older": fields, "newer": newer, "tensors": sorted(state), "ids": IDS, "positions": POSITIONS,
                   "rank": RANK, "alpha": ALPHA, "plain": plain, "adapted": adapted}
        lines = ",\n".join(f'  "{key}": {json.dumps(value, separators=(",", ":"))}' for key, value in content.items())
        (HERE / f"{family}.json").write_text("{\n" + lines + "\n}\n")
        print(family, [round(row[0], 3) for row in plain])


main()
