"""Log-probabilities of a model with a merged adapter, as a peer of `merged-adapter.mjs`.

python peft_merged.py <model folder> <GGUF file in it> <adapter folder>, then a line of token ids as JSON on stdin. It is
answered by one of JSON: the log-probability of each token after the first, in float32.
"""

import json
import sys

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM

folder, gguf_file, adapter = sys.argv[1:4]
torch.set_num_threads(2)
model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=gguf_file, dtype=torch.float32)
model = PeftModel.from_pretrained(model, adapter).merge_and_unload().eval()
ids = torch.tensor([json.loads(sys.stdin.readline())])
with torch.no_grad():
    distributions = torch.log_softmax(model(input_ids=ids).logits[0, :-1], dim=-1)
print(json.dumps(distributions.gather(1, ids[0, 1:, None])[:, 0].tolist()), flush=True)
