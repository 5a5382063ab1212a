import type { Architecture } from './architecture.js';
import type { JsonFields } from './json-fields.js';
import type { LlamaConfig } from './llama-config.js';
import { type ProjectionName, PROJECTIONS } from './projections.js';
import { readWindowRopeTheta } from './rope-fields.js';

const QUERY_KEY_VALUE = ['q_proj', 'k_proj', 'v_proj'] as const;
const ATTENTION = [...QUERY_KEY_VALUE, 'o_proj'] as const;
const FEED_FORWARD = ['gate_proj', 'up_proj', 'down_proj'] as const;

/**
 * What the layers of a family do besides Llama's.
 *
 * @throws BaseModelUnsupportedError an option of the family that this engine lacks
 */
export function readFamilyFields(fields: JsonFields, architecture: Architecture): Partial<LlamaConfig> {
  const { modelType } = architecture;
  const biases = readBiases(fields, modelType);
  return {
    ...(modelType !== 'llama' && { family: modelType }),
    ...(biases.length > 0 && { biases }),
    ...(modelType === 'qwen3' && { hasHeadNorms: true }),
    ...((modelType === 'gemma2' || modelType === 'gemma3_text') && readGemma(fields, modelType)),
    ...(modelType !== 'gemma2' && modelType !== 'gemma3_text' && readSwish(fields)),
  };
}

function readBiases(fields: JsonFields, modelType: Architecture['modelType']): readonly ProjectionName[] {
  // Qwen2 has them whatever its configuration says, Mistral has none.
  if (modelType === 'qwen2') return QUERY_KEY_VALUE;
  const hasMlp = modelType === 'llama' || modelType === 'smollm3';
  if (!hasMlp) fields.expect('mlp_bias', false);
  if (modelType === 'mistral') fields.expect('attention_bias', false);
  const found: readonly ProjectionName[] = [
    ...(fields.flag('attention_bias', false) ? ATTENTION : []),
    ...(fields.flag('mlp_bias', false) ? FEED_FORWARD : []),
  ];
  return PROJECTIONS.filter((name) => found.includes(name));
}

function readSwish(fields: JsonFields): Partial<LlamaConfig> {
  fields.expect('hidden_act', 'silu');
  return {};
}

/** Source: Gemma Team, "Gemma 2" (2024) and "Gemma 3" (2025), as in transformers. */
function readGemma(fields: JsonFields, modelType: 'gemma2' | 'gemma3_text'): Partial<LlamaConfig> {
  fields.expect('hidden_activation', 'gelu_pytorch_tanh');
  fields.expect('use_bidirectional_attention', false);
  const caps = modelType === 'gemma2' ? { attention: 50, logits: 30 } : { attention: null, logits: null };
  const attentionCap = readCap(fields, 'attn_logit_softcapping', caps.attention);
  const logitCap = readCap(fields, 'final_logit_softcapping', caps.logits);
  return {
    activation: 'gelu',
    embeddingScale: Math.sqrt(fields.size('hidden_size')),
    hasUnitNorms: true,
    hasResultNorms: true,
    attentionScale: 1 / Math.sqrt(fields.positive('query_pre_attn_scalar', 256)),
    ...(modelType === 'gemma3_text' && { hasHeadNorms: true, windowRopeTheta: readWindowRopeTheta(fields) }),
    ...(attentionCap !== null && { attentionCap }),
    ...(logitCap !== null && { logitCap }),
  };
}

/** Absent: the family's default. Null: none. */
function readCap(fields: JsonFields, name: string, fallback: number | null): number | null {
  if (!Object.hasOwn(fields.values, name)) return fallback;
  return fields.values[name] === null ? null : fields.positive(name);
}
