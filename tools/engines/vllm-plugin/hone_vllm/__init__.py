"""Keeps answers of a base model free of adapters, on vLLM without a GPU.

vLLM marks rows of a batch that name no adapter with the index -1. Its kernels for GPUs skip such rows; its PyTorch
operations look up adapter -1 and so add the one in the last slot (https://github.com/vllm-project/vllm/pull/48421).
An adapter that vLLM no longer lists still fills its slot, so no number of slots avoids it.
"""

from functools import wraps


def _skips_base_rows(expand):
    """Wraps ``expand(inputs [rows, rank], weights, output, indices [rows], ...)``: what it adds to a row is 0 where the
    row's index is negative."""
    import torch

    @wraps(expand)
    def wrapped(inputs, weights, output, indices, *rest, **named):
        chosen = torch.where((indices >= 0).unsqueeze(1), inputs, 0.0)
        return expand(chosen, weights, output, indices, *rest, **named)

    return wrapped


def register():
    """Called by vLLM in each of its processes, in some more than once."""
    from vllm.platforms import current_platform

    if not current_platform.is_cpu():
        return
    from vllm.lora.ops.torch_ops import lora_ops
    from vllm.lora.punica_wrapper import punica_cpu

    for name in ("bgmv_expand", "bgmv_expand_slice"):
        expand = getattr(lora_ops, name)
        if not hasattr(expand, "__wrapped__"):
            expand = _skips_base_rows(expand)
        # The operations on whole prompts call it in the first module, those on single tokens in the second.
        setattr(lora_ops, name, expand)
        setattr(punica_cpu, name, expand)
