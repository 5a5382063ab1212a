import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { LoraAdapter } from '../checkpoints/lora-adapter.js';
import { PROJECTIONS } from '../model/config/projections.js';
import { type LlamaConfig, readLlamaConfig, tensorShapes } from '../model/index.js';
import { byteLevelTokenizer, FIXTURE_CHAT_TEMPLATE } from '../model/tokenizer/byte-level-tokenizer.fixture.js';
import { writeDurably } from '../model/weights/durable-file.js';
import { encodeSafetensors, type RawTensor } from '../model/weights/safetensors-writer.js';
import type { FloatTensor, Weights } from '../tensor.js';
import { trainedLayout } from '../train/trained-parameters.js';
import { numbers } from './numbers.fixture.js';

const FOLDER = join(import.meta.dirname, 'transformers');

/** What transformers computed of a small random model: a file that transformers/make_expected.py wrote. */
export interface Expected {
  /** `config.json` in the form of transformers 4, and in that of 5. */
  readonly older: Record<string, unknown>;
  readonly newer: Record<string, unknown>;
  /** Names of all tensors. */
  readonly tensors: readonly string[];
  readonly ids: readonly number[];
  /** Indices into `ids`. */
  readonly positions: readonly number[];
  readonly rank: number;
  readonly alpha: number;
  /** Log-probabilities of the token after each position: of the model, and with an adapter on all projections. */
  readonly plain: readonly (readonly number[])[];
  readonly adapted: readonly (readonly number[])[];
}

export const FAMILIES = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []));

export const expectedOf = (family: string): Expected =>
  JSON.parse(readFileSync(join(FOLDER, `${family}.json`), 'utf8')) as Expected;

export interface FamilyModel {
  readonly config: LlamaConfig;
  readonly weights: Weights;
  readonly adapter: LoraAdapter;
}

/**
 * Writes the model of a family into `directory`, in the Hugging Face layout, with the fixture's tokenizer.
 *
 * @param fields of `config.json` that are to be others
 */
export async function writeFamilyModel(
  directory: string,
  family: string,
  form: 'older' | 'newer' = 'older',
  fields: Record<string, unknown> = {},
): Promise<FamilyModel> {
  const expected = expectedOf(family);
  const write = (name: string, text: string) => writeFile(join(directory, name), text);
  await mkdir(directory, { recursive: true });
  await write('config.json', JSON.stringify({ ...expected[form], ...fields }));
  await write('tokenizer.json', JSON.stringify(byteLevelTokenizer()));
  const named = { bos_token: '<|bos|>', eos_token: '<|end|>' };
  // The newer layout has the template in a file of its own.
  const older = { ...named, chat_template: FIXTURE_CHAT_TEMPLATE };
  await write('tokenizer_config.json', JSON.stringify(form === 'older' ? older : named));
  if (form === 'newer') await write('chat_template.jinja', FIXTURE_CHAT_TEMPLATE);
  const config = await readLlamaConfig(directory);
  const weights = numbersOf(tensorShapes(config), config);
  const tensors = Array.from(weights, ([name, { shape, data }]): RawTensor => {
    return { name, dtype: 'F32', shape, bytes: new Uint8Array(data.buffer) };
  });
  await writeDurably(join(directory, 'model.safetensors'), encodeSafetensors(tensors, { format: 'pt' }));
  return { config, weights, adapter: adapterOf(config, expected) };
}

function adapterOf(config: LlamaConfig, { rank, alpha }: Expected): LoraAdapter {
  const lora = { rank, alpha, targets: PROJECTIONS };
  const slots = trainedLayout(config, { kind: 'lora', lora }).slots;
  const tensors = numbersOf(new Map(slots.map(({ name, shape }) => [name, shape])), config);
  return { baseModel: 'family', ...lora, tensors };
}

function numbersOf(shapes: ReadonlyMap<string, readonly number[]>, config: LlamaConfig): Map<string, FloatTensor> {
  return new Map(Array.from(shapes, ([name, shape]) => [name, { shape, data: weight(name, shape, config) }]));
}

/** As `weight` of make_expected.py has it. */
function weight(name: string, shape: readonly number[], { hasUnitNorms }: LlamaConfig): Float32Array {
  const values = numbers(
    name,
    shape.reduce((product, size) => product * size, 1),
  );
  const start = hasUnitNorms ? 0 : 1;
  if (name.endsWith('norm.weight')) return Float32Array.from(values, (value) => value * 0.3 + start);
  const scale = shape.length === 1 ? 0.5 : Math.sqrt(3 / shape[1]!);
  return Float32Array.from(values, (value) => value * scale);
}
