"""What TRL computes for preference losses: expected.json beside this file, which trl.spec.ts holds the
engine against.

    uv venv --python 3.12 .venv && uv pip install --python .venv/bin/python trl==1.16.0 torch peft
    .venv/bin/python libs/engine/src/oracle/trl/make_expected.py

Each method takes 20 optimiser steps on one batch, from an adapter on hone-tiny whose weights are numbers of their
names, as in ../transformers. The losses and metrics are TRL's, in float64; the optimiser is PyTorch's AdamW. TRL's ORPO
takes the cross entropy of prompts as well: its prompts have one token here, which nothing predicts.
"""

import json
import math
import pathlib
import sys
import tempfile

import torch
from datasets import Dataset
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import DPOConfig, DPOTrainer, KTOConfig, KTOTrainer
from trl.experimental.orpo import ORPOConfig, ORPOTrainer

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent))
from numbers_of import numbers  # noqa: E402

BASE = HERE.parents[4] / "models/hone-tiny"
STEPS, RATE, RANK, ALPHA = 20, 1e-4, 4, 8
PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
BETA = 0.3
METHODS = {
    "dpo": {"method": "dpo", "beta": BETA},
    "ipo": {"method": "ipo", "beta": BETA},
    "orpo": {"method": "orpo", "lambda": BETA},
    "kto": {"method": "kto", "beta": BETA, "desirable_weight": 1.0, "undesirable_weight": 1.5},
}


def some_ids(name, count):
    return [10 + int((value + 1) * 200) for value in numbers(name, count)]


def sequences(prompt_length):
    """Four pairs, with answers of different lengths."""
    return [
        {
            "prompt_ids": some_ids(f"prompt {at}", prompt_length + (at if prompt_length > 1 else 0)),
            "chosen_ids": some_ids(f"chosen {at}", 3 + at),
            "rejected_ids": some_ids(f"rejected {at}", 7 - at),
        }
        for at in range(4)
    ]


def answers():
    """Single answers; the mismatched ones are those of the line before, as TRL pairs them."""
    found = [
        {"prompt_ids": some_ids(f"prompt {at}", 4 + at), "completion_ids": some_ids(f"answer {at}", 3 + at),
         "label": at % 3 != 0}
        for at in range(6)
    ]
    return [{**one, "KL_completion_ids": found[at - 1]["completion_ids"]} for at, one in enumerate(found)]


def model():
    base = AutoModelForCausalLM.from_pretrained(BASE, dtype=torch.float64, attn_implementation="eager")
    config = LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=PROJECTIONS, lora_dropout=0.0)
    adapted = get_peft_model(base, config).double()
    with torch.no_grad():
        for name, parameter in adapted.named_parameters():
            if "lora_" not in name:
                continue
            plain = name.replace("base_model.model.", "").replace(".default", "")
            scale = 0.05 if "lora_A" in name else 0.02
            values = torch.tensor(numbers(plain, math.prod(parameter.shape)), dtype=torch.float64)
            # The engine holds them in float32.
            parameter.copy_((values * scale).to(torch.float32).double().reshape(parameter.shape))
    return adapted


def trainer_of(settings, folder):
    common = {"output_dir": folder, "report_to": [], "use_cpu": True, "bf16": False, "gradient_checkpointing": False,
              "max_length": None, "disable_dropout": True}
    tokenizer = AutoTokenizer.from_pretrained(BASE)
    rows = {"prompt": ["a", "b"], "chosen": ["c", "d"], "rejected": ["e", "f"]}
    method = settings["method"]
    if method == "kto":
        data = Dataset.from_dict({"prompt": ["a", "b"], "completion": ["c", "d"], "label": [True, False]})
        args = KTOConfig(**common, beta=settings["beta"], desirable_weight=settings["desirable_weight"],
                         undesirable_weight=settings["undesirable_weight"], per_device_train_batch_size=2)
        return KTOTrainer(model=model(), args=args, train_dataset=data, processing_class=tokenizer)
    if method == "orpo":
        args = ORPOConfig(**{**common, "max_length": 64}, beta=settings["lambda"])
        return ORPOTrainer(model=model(), args=args, train_dataset=Dataset.from_dict(rows), processing_class=tokenizer)
    args = DPOConfig(**common, beta=settings["beta"], loss_type=["ipo" if method == "ipo" else "sigmoid"])
    return DPOTrainer(model=model(), args=args, train_dataset=Dataset.from_dict(rows), processing_class=tokenizer)



def orpo_batch(pairs):
    """The padded tensors that ORPOTrainer makes of tokenized pairs."""
    batch = {}
    for kind in ("chosen", "rejected"):
        rows = [(pair["prompt_ids"], pair[f"{kind}_ids"]) for pair in pairs]
        width = max(len(prompt) + len(answer) for prompt, answer in rows)
        padded = [(prompt, answer, width - len(prompt) - len(answer)) for prompt, answer in rows]
        batch[f"{kind}_input_ids"] = torch.tensor([p + a + [0] * n for p, a, n in padded])
        batch[f"{kind}_attention_mask"] = torch.tensor([[1] * (len(p) + len(a)) + [0] * n for p, a, n in padded])
        batch[f"{kind}_labels"] = torch.tensor([[-100] * len(p) + a + [-100] * n for p, a, n in padded])
    return batch


def steps_of(settings):
    """Loss, length of the gradient and rewards of each step."""
    method = settings["method"]
    data = answers() if method == "kto" else sequences(1 if method == "orpo" else 4)
    with tempfile.TemporaryDirectory() as folder:
        trainer = trainer_of(settings, folder)
    adapted = trainer.model
    adapted.train()
    trained = [p for name, p in adapted.named_parameters() if "lora_" in name and ".default" in name]
    for parameter in trained:
        parameter.requires_grad_(True)
    optimiser = torch.optim.AdamW(trained, lr=RATE, betas=(0.9, 0.99), eps=1e-8, weight_decay=0)
    steps = []
    for _ in range(STEPS):
        if method == "orpo":
            loss, found = trainer.get_batch_loss_metrics(adapted, orpo_batch(data))
            metrics = {name: float(value) for name, value in found.items()}
        else:
            trainer._metrics["train"].clear()
            loss = trainer.compute_loss(adapted, trainer.data_collator([dict(one) for one in data]))
            metrics = {name: values[-1] for name, values in trainer._metrics["train"].items()}
        optimiser.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        steps.append({
            "loss": loss.item(), "grad_norm": norm.item(),
            **{name: metrics[name] for name in ("rewards/chosen", "rewards/rejected", "rewards/accuracies", "kl",
                                                "logps/chosen", "logps/rejected") if name in metrics},
        })
    has_reference = "ref" in getattr(adapted, "peft_config", {})
    return {"settings": {**settings, "reference": "parent" if has_reference else "base"}, "data": data, "steps": steps}


def main():
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    expected = {"rate": RATE, "rank": RANK, "alpha": ALPHA, "cases": {name: steps_of(s) for name, s in METHODS.items()}}
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
    for name, case in expected["cases"].items():
        print(name, case["settings"]["reference"], case["steps"][0], case["steps"][-1])


if __name__ == "__main__":
    main()
