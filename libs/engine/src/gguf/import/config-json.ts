import { shown } from '../../gguf-reader/index.js';
import { BaseModelDamagedError, BaseModelUnsupportedError } from '../../model/config/model.errors.js';
import { rotaryFrequencies } from '../../model/config/rotary-tables.js';
import type { GgufFields } from './gguf-fields.js';
import type { GgufVocabulary } from './gguf-vocabulary.js';

/** Hugging Face's names for architectures of llama.cpp. Whether one can run is decided when the folder is opened. */
const ARCHITECTURES: ReadonlyMap<string, { architecture: string; modelType: string }> = new Map([
  ['llama', { architecture: 'LlamaForCausalLM', modelType: 'llama' }],
  ['smollm3', { architecture: 'SmolLM3ForCausalLM', modelType: 'smollm3' }],
  ['qwen2', { architecture: 'Qwen2ForCausalLM', modelType: 'qwen2' }],
  ['qwen3', { architecture: 'Qwen3ForCausalLM', modelType: 'qwen3' }],
  ['gemma2', { architecture: 'Gemma2ForCausalLM', modelType: 'gemma2' }],
  ['gemma3', { architecture: 'Gemma3ForCausalLM', modelType: 'gemma3_text' }],
]);
/** Llama 3.1 and 3.2 have these; the file only has what the frequencies are divided by. */
const LLAMA3 = { type: 'llama3', lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositions: 8192 } as const;
const FREQUENCIES = 'rope_freqs.weight';

/**
 * `config.json` from the metadata and the tensors' shapes.
 *
 * @throws BaseModelUnsupportedError an architecture, or a stretching of positions, that cannot be said
 * @throws BaseModelDamagedError
 */
export async function toConfigJson(fields: GgufFields, vocabulary: GgufVocabulary): Promise<Record<string, unknown>> {
  const name = fields.text('general.architecture') ?? '';
  const known = ARCHITECTURES.get(name);
  if (!known) {
    const expected = [...ARCHITECTURES.keys()].join(', ');
    throw new BaseModelUnsupportedError(fields.path, `the architecture is ${shown(name)}, expected one of ${expected}`);
  }
  if ((fields.number(`${name}.expert_count`) ?? 0) > 0) {
    throw new BaseModelUnsupportedError(fields.path, 'it is a mixture of experts');
  }
  const { tensors } = fields.file;
  const size = (key: string): number => fields.requiredNumber(`${name}.${key}`);
  const heads = size('attention.head_count');
  const headDim = fields.number(`${name}.attention.key_length`) ?? size('embedding_length') / heads;
  const theta = fields.number(`${name}.rope.freq_base`) ?? 10_000;
  return {
    architectures: [known.architecture],
    model_type: known.modelType,
    vocab_size: tensors.get('token_embd.weight')?.shape[0] ?? vocabulary.tokens.length,
    hidden_size: size('embedding_length'),
    intermediate_size: size('feed_forward_length'),
    num_hidden_layers: size('block_count'),
    num_attention_heads: heads,
    num_key_value_heads: fields.number(`${name}.attention.head_count_kv`) ?? heads,
    head_dim: headDim,
    max_position_embeddings: size('context_length'),
    rms_norm_eps: size('attention.layer_norm_rms_epsilon'),
    rope_theta: theta,
    rope_scaling: await ropeScaling(fields, name, theta, headDim),
    partial_rotary_factor: (fields.number(`${name}.rope.dimension_count`) ?? headDim) / headDim,
    tie_word_embeddings: !tensors.has('output.weight'),
    attention_bias: known.modelType !== 'qwen2' && tensors.has('blk.0.attn_q.bias'),
    mlp_bias: tensors.has('blk.0.ffn_up.bias'),
    bos_token_id: vocabulary.special('bos'),
    eos_token_id: vocabulary.special('eos'),
    ...(isGemma(name) && toGemmaFields(fields, name, headDim)),
  };
}

const isGemma = (name: string): name is 'gemma2' | 'gemma3' => name === 'gemma2' || name === 'gemma3';

/** What llama.cpp has as defaults of Gemma, where the file does not say (load_hparams of llama-model.cpp). */
function toGemmaFields(fields: GgufFields, name: 'gemma2' | 'gemma3', headDim: number): Record<string, unknown> {
  const number = (key: string) => fields.number(`${name}.${key}`);
  const size = (key: string) => fields.requiredNumber(`${name}.${key}`);
  const isLargest = size('block_count') === (name === 'gemma2' ? 46 : 62);
  return {
    hidden_activation: 'gelu_pytorch_tanh',
    query_pre_attn_scalar: isLargest ? size('embedding_length') / size('attention.head_count') : headDim,
    sliding_window: number('attention.sliding_window') ?? 4096,
    sliding_window_pattern: number('attention.sliding_window_pattern') ?? (name === 'gemma2' ? 2 : 6),
    attn_logit_softcapping: number('attn_logit_softcapping') ?? (name === 'gemma2' ? 50 : null),
    final_logit_softcapping: number('final_logit_softcapping') ?? (name === 'gemma2' ? 30 : null),
    ...(name === 'gemma3' && { rope_local_base_freq: number('rope.freq_base_swa') ?? 10_000 }),
  };
}

async function ropeScaling(fields: GgufFields, name: string, theta: number, headDim: number): Promise<object | null> {
  if (fields.file.tensors.has(FREQUENCIES)) return llama3Scaling(fields, theta, headDim);
  const type = fields.text(`${name}.rope.scaling.type`) ?? 'none';
  if (type === 'none') return null;
  // The reader of the configuration refuses kinds that it does not know.
  return { rope_type: type.slice(0, 80), factor: fields.number(`${name}.rope.scaling.factor`) ?? 1 };
}

/** The factor is the largest divisor. With Llama 3's other numbers, the divisors must be those of the file. */
async function llama3Scaling({ file, path }: GgufFields, ropeTheta: number, headDim: number): Promise<object> {
  const tensor = await file.read(FREQUENCIES);
  if (!('data' in tensor) || tensor.data.length !== headDim / 2) {
    throw new BaseModelDamagedError(path, `${FREQUENCIES}: expected ${headDim / 2} floats`);
  }
  const ropeScaling = { ...LLAMA3, factor: tensor.data.reduce((a, b) => Math.max(a, b)) };
  const plain = rotaryFrequencies({ headDim, ropeTheta, ropeScaling: null });
  const scaled = rotaryFrequencies({ headDim, ropeTheta, ropeScaling });
  if (!tensor.data.every((divisor, i) => Math.abs(plain[i]! / scaled[i]! / divisor - 1) < 1e-3)) {
    throw new BaseModelUnsupportedError(path, `${FREQUENCIES} is not Llama 3's stretching of positions`);
  }
  return {
    rope_type: 'llama3',
    factor: ropeScaling.factor,
    low_freq_factor: LLAMA3.lowFreqFactor,
    high_freq_factor: LLAMA3.highFreqFactor,
    original_max_position_embeddings: LLAMA3.originalMaxPositions,
  };
}
