"""DPO steps with TRL and PEFT, as a peer of `preference-training.mjs`.

python trl_step.py <model folder> <GGUF file in it, or ''> <threads>, then lines of JSON on stdin: first the pairs of each step,
[{"prompt_ids", "chosen_ids", "rejected_ids"}], answered by the reference's log-probabilities of the answers, which are computed
this once; then numbers of steps, each answered by {"ms": [per step], "losses": [per step]}. Rank 8 on all projections, AdamW.
"""

import json
import sys
import tempfile
import time

import torch
from datasets import Dataset
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import DPOConfig, DPOTrainer

PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def trainer_of(model, tokenizer):
    words = {"prompt": ["a", "b"], "chosen": ["c", "d"], "rejected": ["e", "f"]}
    with tempfile.TemporaryDirectory() as folder:
        args = DPOConfig(output_dir=folder, report_to=[], use_cpu=True, bf16=False, gradient_checkpointing=False,
                         max_length=None, beta=0.1, precompute_ref_log_probs=True)
        return DPOTrainer(model=model, args=args, train_dataset=Dataset.from_dict(words), processing_class=tokenizer)


def main():
    folder, gguf_file, threads = sys.argv[1:4]
    torch.set_num_threads(int(threads))
    loading = {"gguf_file": gguf_file or None}
    tokenizer = AutoTokenizer.from_pretrained(folder, **loading)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **loading)
    model.config.use_cache = False
    model = get_peft_model(model, LoraConfig(r=8, lora_alpha=16, target_modules=PROJECTIONS))
    trainer = trainer_of(model, tokenizer)
    model = trainer.model
    model.train()
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    # As Hone's job: see training-job.mjs.
    adam = torch.optim.AdamW(trained, lr=1e-4, betas=(0.9, 0.99), eps=1e-8, weight_decay=0, foreach=True)
    pairs = json.loads(sys.stdin.readline())
    with torch.no_grad():
        batch = trainer.data_collator([dict(pair) for pair in pairs])
        chosen, rejected = trainer.compute_ref_log_probs(model, batch)
    for pair, one, other in zip(pairs, chosen.tolist(), rejected.tolist()):
        pair.update(ref_chosen_logps=one, ref_rejected_logps=other)
    print(json.dumps([chosen.tolist(), rejected.tolist()]), flush=True)
    for line in sys.stdin:
        answer = {"ms": [], "losses": []}
        for _ in range(int(line)):
            begin = time.perf_counter()
            adam.zero_grad(set_to_none=True)
            loss = trainer.compute_loss(model, trainer.data_collator([dict(pair) for pair in pairs]))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1)
            adam.step()
            answer["ms"].append((time.perf_counter() - begin) * 1_000)
            answer["losses"].append(loss.item())
        print(json.dumps(answer), flush=True)


main()
