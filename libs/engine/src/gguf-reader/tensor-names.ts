/** Names of llama.cpp for those of Hugging Face, within a layer. */
const LAYER_NAMES: Readonly<Record<string, string>> = {
  'input_layernorm.weight': 'attn_norm.weight',
  'self_attn.q_proj.weight': 'attn_q.weight',
  'self_attn.k_proj.weight': 'attn_k.weight',
  'self_attn.v_proj.weight': 'attn_v.weight',
  'self_attn.o_proj.weight': 'attn_output.weight',
  'self_attn.q_proj.bias': 'attn_q.bias',
  'self_attn.k_proj.bias': 'attn_k.bias',
  'self_attn.v_proj.bias': 'attn_v.bias',
  'self_attn.o_proj.bias': 'attn_output.bias',
  'self_attn.q_norm.weight': 'attn_q_norm.weight',
  'self_attn.k_norm.weight': 'attn_k_norm.weight',
  'post_attention_layernorm.weight': 'ffn_norm.weight',
  'mlp.gate_proj.weight': 'ffn_gate.weight',
  'mlp.up_proj.weight': 'ffn_up.weight',
  'mlp.down_proj.weight': 'ffn_down.weight',
  'mlp.gate_proj.bias': 'ffn_gate.bias',
  'mlp.up_proj.bias': 'ffn_up.bias',
  'mlp.down_proj.bias': 'ffn_down.bias',
};
/** The norms of Gemma, which has two more in a layer. */
const RESULT_NORMS: Readonly<Record<string, string>> = {
  'post_attention_layernorm.weight': 'post_attention_norm.weight',
  'pre_feedforward_layernorm.weight': 'ffn_norm.weight',
  'post_feedforward_layernorm.weight': 'post_ffw_norm.weight',
};
const OUTER_NAMES: Readonly<Record<string, string>> = {
  'model.embed_tokens.weight': 'token_embd.weight',
  'model.norm.weight': 'output_norm.weight',
  'lm_head.weight': 'output.weight',
};

/**
 * GGUF's name of a tensor of the Hugging Face layout, or null.
 *
 * @param hasResultNorms whether layers have a norm after each of their steps, too
 */
export function ggufTensorName(name: string, hasResultNorms = false): string | null {
  const [, layer, rest = ''] = /^model\.layers\.(\d+)\.(.*)$/.exec(name) ?? [];
  const ofLayer = (hasResultNorms ? RESULT_NORMS[rest] : undefined) ?? LAYER_NAMES[rest];
  const known = layer === undefined ? OUTER_NAMES[name] : ofLayer;
  if (known === undefined) return null;
  return layer === undefined ? known : `blk.${layer}.${known}`;
}

/**
 * Where each row of a q or k matrix in the Hugging Face layout is in GGUF. Hugging Face turns row `i` of a head together
 * with row `i + headDim / 2`; llama.cpp's llama architecture turns neighbours, as the original weights had it: row `i`
 * is row `2 i`, row `i + headDim / 2` is `2 i + 1`. Source: `permute` of llama.cpp's convert_hf_to_gguf.py.
 */
export function rotaryRowOrder(rows: number, heads: number): Uint32Array {
  const headDim = rows / heads;
  const half = headDim / 2;
  return Uint32Array.from({ length: rows }, (_, row) => {
    const within = row % headDim;
    return row - within + (within < half ? 2 * within : 2 * (within - half) + 1);
  });
}
