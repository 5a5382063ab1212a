"""LoRA training with PyTorch and PEFT, as a peer of `training.mjs`.

python peft_step.py <model folder> <GGUF file in it, or ''> <threads>, then per line of stdin a number of steps. Each line is
answered by one of JSON: {"ms": [per step]}. A step: 8 x 128 tokens, cross entropy, rank 8 on all projections, AdamW.
"""

import json
import sys
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

BATCH, LENGTH = 8, 128
PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def main():
    folder, gguf_file, threads = sys.argv[1:4]
    torch.set_num_threads(int(threads))
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=gguf_file or None, dtype=torch.float32)
    model.config.use_cache = False
    model = get_peft_model(model, LoraConfig(r=8, lora_alpha=16, target_modules=PROJECTIONS))
    model.train()
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    adam = torch.optim.AdamW(trained, lr=1e-4, foreach=True)
    ids = torch.randint(0, model.config.vocab_size, (BATCH, LENGTH), generator=torch.Generator().manual_seed(7))
    for line in sys.stdin:
        ms = []
        for _ in range(int(line)):
            begin = time.perf_counter()
            adam.zero_grad(set_to_none=True)
            model(input_ids=ids, labels=ids).loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1)
            adam.step()
            ms.append((time.perf_counter() - begin) * 1_000)
        print(json.dumps({"ms": ms}), flush=True)


main()
