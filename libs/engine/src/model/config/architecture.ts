import { type JsonFields, shownValue } from './json-fields.js';
import { BaseModelUnsupportedError } from './model.errors.js';

/** Families besides Llama, as transformers names them (`model_type`). */
export type Family = 'mistral' | 'qwen2' | 'qwen3' | 'smollm3' | 'gemma2' | 'gemma3_text';

/** A family of decoders, with transformers' defaults of what its `config.json` may leave out. */
export interface Architecture {
  readonly name: string;
  readonly modelType: Family | 'llama';
  /** Null: as many as there are heads. */
  readonly numKvHeads: number | null;
  /** Null: the width shared out to the heads. */
  readonly headDim: number | null;
  readonly maxPositions: number;
  readonly ropeTheta: number;
  readonly tiedHead: boolean;
  /** Null: none. */
  readonly bosTokenId: number | null;
  readonly eosTokenId: number | null;
}

const LLAMA: Architecture = {
  ...{ name: 'LlamaForCausalLM', modelType: 'llama', numKvHeads: null, headDim: null, maxPositions: 2048 },
  ...{ ropeTheta: 10_000, tiedHead: false, bosTokenId: 1, eosTokenId: 2 },
};
const QWEN2: Architecture = {
  ...{ ...LLAMA, name: 'Qwen2ForCausalLM', modelType: 'qwen2', numKvHeads: 32, maxPositions: 32_768 },
  ...{ bosTokenId: null, eosTokenId: null },
};
const GEMMA2: Architecture = {
  ...{ name: 'Gemma2ForCausalLM', modelType: 'gemma2', numKvHeads: 4, headDim: 256, maxPositions: 8192 },
  ...{ ropeTheta: 10_000, tiedHead: true, bosTokenId: 2, eosTokenId: 1 },
};

/** Families whose adapters have Llama's shapes: other engines compute them, too. */
export const REMOTE_ARCHITECTURES: readonly Architecture[] = [
  LLAMA,
  { ...LLAMA, name: 'MistralForCausalLM', modelType: 'mistral', numKvHeads: 8, maxPositions: 131_072 },
  QWEN2,
  { ...QWEN2, name: 'Qwen3ForCausalLM', modelType: 'qwen3', headDim: 128 },
];

/** Families that this engine computes. */
export const ARCHITECTURES: readonly Architecture[] = [
  ...REMOTE_ARCHITECTURES,
  {
    ...{ ...LLAMA, name: 'SmolLM3ForCausalLM', modelType: 'smollm3', numKvHeads: 4, maxPositions: 32_768 },
    ...{ ropeTheta: 2_000_000, tiedHead: true, bosTokenId: 128_000, eosTokenId: 128_001 },
  },
  GEMMA2,
  { ...GEMMA2, name: 'Gemma3ForCausalLM', modelType: 'gemma3_text', maxPositions: 131_072, ropeTheta: 1_000_000 },
];

/**
 * The family that a configuration names.
 *
 * @param known families among which it must be
 * @throws BaseModelUnsupportedError another one
 */
export function architectureOf(fields: JsonFields, known: readonly Architecture[]): Architecture {
  const listed = fields.get('architectures');
  const found = Array.isArray(listed)
    ? known.find(({ name }) => listed.includes(name))
    : known.find(({ modelType }) => listed === null && modelType === fields.get('model_type'));
  if (found !== undefined) return found;
  const shown = shownValue(listed ?? fields.get('model_type'));
  const expected = known.map(({ name }) => name).join(', ');
  throw new BaseModelUnsupportedError(fields.file, `the architecture is ${shown}, expected one of ${expected}`);
}
