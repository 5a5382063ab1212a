import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CHAT_TEMPLATE } from './chat-template.js';
import { SPECIAL, specialId } from './special-tokens.js';
import { trainTokenizer, VOCABULARY_SIZE } from './train-tokenizer.js';

const TOKENIZER_SEED = 1;
const MAX_POSITIONS = 1024;
const IDS = { bos_token_id: specialId('bos'), eos_token_id: specialId('end'), pad_token_id: specialId('pad') };

const CONFIG = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 128,
  num_hidden_layers: 4,
  num_attention_heads: 4,
  num_key_value_heads: 4,
  head_dim: 32,
  intermediate_size: 384,
  hidden_act: 'silu',
  vocab_size: VOCABULARY_SIZE,
  max_position_embeddings: MAX_POSITIONS,
  rope_theta: 10000,
  rope_scaling: null,
  rms_norm_eps: 1e-5,
  attention_bias: false,
  mlp_bias: false,
  tie_word_embeddings: true,
  initializer_range: 0.02,
  torch_dtype: 'float32',
  ...IDS,
};

const TOKENIZER_CONFIG = {
  tokenizer_class: 'PreTrainedTokenizerFast',
  bos_token: SPECIAL.bos,
  eos_token: SPECIAL.end,
  pad_token: SPECIAL.pad,
  add_bos_token: false,
  add_eos_token: false,
  clean_up_tokenization_spaces: false,
  model_max_length: MAX_POSITIONS,
  chat_template: CHAT_TEMPLATE,
};

/** Writes every file of the bundled model but its weights and its card; the same bytes each time. */
export async function writeModelFolder(folder: string): Promise<void> {
  const files = {
    'config.json': CONFIG,
    'generation_config.json': IDS,
    'tokenizer.json': trainTokenizer(TOKENIZER_SEED),
    'tokenizer_config.json': TOKENIZER_CONFIG,
  };
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
  }
}
