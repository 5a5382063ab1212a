import { join } from 'node:path';

import { architectureOf, ARCHITECTURES } from './architecture.js';
import { readAttentionFields } from './attention-fields.js';
import { assertHeads, type DecoderShape, toDecoderShape } from './decoder-shape.js';
import { readFamilyFields } from './family-fields.js';
import { findJsonFields, type JsonFields, readJsonFields, shownValue } from './json-fields.js';
import type { LlamaConfig } from './llama-config.js';
import { BaseModelDamagedError, BaseModelTooLargeError, BaseModelUnsupportedError } from './model.errors.js';
import { readRopeFields } from './rope-fields.js';
import { countParameters } from './tensor-shapes.js';

/** The default of HONE_ENGINE_MAX_PARAMS: float32 weights of 8 GB. */
export const DEFAULT_MAX_PARAMS = 2e9;

/**
 * Reads `config.json` and `generation_config.json` of a model folder. Fields that are absent have the
 * defaults that transformers has for the architecture.
 *
 * @param maxParams how many parameters the model may have; judged before any weights are read
 * @throws BaseModelUnsupportedError another architecture, or an option of it that this engine lacks
 * @throws BaseModelDamagedError a file is missing, not JSON, or its fields contradict each other
 * @throws BaseModelTooLargeError
 */
export async function readLlamaConfig(directory: string, maxParams = DEFAULT_MAX_PARAMS): Promise<LlamaConfig> {
  const fields = await readJsonFields(join(directory, 'config.json'));
  const config = toConfig(fields, await findJsonFields(join(directory, 'generation_config.json')));
  assertConsistent(fields.file, config);
  const parameters = countParameters(config);
  if (parameters > maxParams) throw new BaseModelTooLargeError(fields.file, parameters, maxParams);
  return config;
}

function assertSupported(fields: JsonFields): void {
  if (fields.has('quantization_config')) {
    throw new BaseModelUnsupportedError(fields.file, 'quantized weights (quantization_config) are not supported');
  }
}

function toConfig(fields: JsonFields, generation: JsonFields | null): LlamaConfig {
  const architecture = architectureOf(fields, ARCHITECTURES);
  assertSupported(fields);
  const shape = toDecoderShape(fields, architecture);
  assertSizes(fields.file, shape);
  return {
    ...shape,
    ...readRopeFields(fields, architecture.ropeTheta),
    ...readFamilyFields(fields, architecture),
    ...readAttentionFields(fields, architecture, shape),
    rmsNormEps: fields.positive('rms_norm_eps', 1e-6),
    bosTokenId: tokenIds(fields, 'bos_token_id', architecture.bosTokenId)[0] ?? null,
    // End tokens come from the generation configuration first: there an instruct model also names its end-of-turn
    // token.
    eosTokenIds: tokenIds(
      generation?.has('eos_token_id') ? generation : fields,
      'eos_token_id',
      architecture.eosTokenId,
    ),
  };
}

/** The largest models have 126 layers. Without a limit, per-layer lists of a hostile file would fill the memory. */
const MAX_LAYERS = 1024;
/** As of ids in tokenizer.json. */
const MAX_VOCABULARY = 2 ** 24;

function assertSizes(file: string, { numLayers, vocabSize }: DecoderShape): void {
  if (numLayers > MAX_LAYERS) {
    throw new BaseModelUnsupportedError(file, `num_hidden_layers is ${numLayers}, expected at most ${MAX_LAYERS}`);
  }
  if (vocabSize > MAX_VOCABULARY) {
    throw new BaseModelUnsupportedError(file, `vocab_size is ${vocabSize}, expected at most ${MAX_VOCABULARY}`);
  }
}

/** Token ids of a field that holds a number or a list. Absent: transformers' default. Null: none. */
function tokenIds(fields: JsonFields, name: string, fallback: number | null): number[] {
  const value = Object.hasOwn(fields.values, name) ? fields.values[name] : fallback;
  const ids: unknown[] = value === null ? [] : Array.isArray(value) ? value : [value];
  if (ids.every((id): id is number => Number.isSafeInteger(id) && Number(id) >= 0)) return ids;
  throw new BaseModelDamagedError(fields.file, `${name} is ${shownValue(value)}, expected token ids`);
}

function assertConsistent(file: string, config: LlamaConfig): void {
  const { vocabSize, bosTokenId, eosTokenIds } = config;
  assertHeads(file, config);
  if (eosTokenIds.length === 0) throw new BaseModelUnsupportedError(file, 'no eos_token_id says where an answer ends');
  const outside = [bosTokenId ?? 0, ...eosTokenIds].find((id) => id >= vocabSize);
  if (outside !== undefined) {
    throw new BaseModelDamagedError(file, `token ${outside} is outside of the vocabulary of ${vocabSize}`);
  }
}
