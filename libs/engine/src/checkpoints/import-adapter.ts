import { join } from 'node:path';

import { largestMagnitude } from '../finite.js';
import type { DecoderShape } from '../model/config/decoder-shape.js';
import { writeSafetensorsStream } from '../model/weights/safetensors-writer.js';
import { type LoraScaling, type LoraVariantOptions, moduleScaleOf, storedRankOf } from '../train/lora-variant.js';
import { AdapterDamagedError, AdapterUnsupportedError } from './checkpoint.errors.js';
import type { CheckpointState } from './checkpoint.js';
import { type LoraAdapter, matrixOf } from './lora-adapter.js';
import { ADAPTER_CONFIG_FILE, ADAPTER_WEIGHTS_FILE, PEFT_PREFIX, PeftAdapterFile } from './open-adapter.js';
import { adapterConfigFile, METADATA, stateFile, writeFiles, type WrittenCheckpoint } from './write-checkpoint.js';

/** How many times the stored size an adapter may take in memory, where smaller modules are padded to the largest rank. */
const MAX_PADDING = 8;
/** Of scales. Those of PEFT's users are 8 to 512. */
const MAX_ALPHA = 1e6;
/** Of one number: activations are below 1e6, and 1e6 of them times this are still a float32. */
const MAX_NUMBER = 1e25;
/** Far below the largest float32, 3.4e38: nothing that the base's own weights add can overflow it. */
const MAX_PRODUCT = 1e37;

/** Which adapter becomes a checkpoint of which base model. */
export interface AdapterImport {
  /** Folder of `adapter_config.json` and `adapter_model.safetensors`. */
  readonly source: string;
  /** Of the base model. */
  readonly config: DecoderShape;
  /** Id of the base model, for the new configuration. */
  readonly baseModel: string;
  /** Bytes that it may always take in memory. Absent: only its stored size limits them. */
  readonly maxBytes?: number;
  /** Of the program that made it. Absent: unknown. */
  readonly state?: CheckpointState;
}

const UNKNOWN_STATE: CheckpointState = { step: 0, optimizerSteps: 0, rng: null, config: { kind: 'import' } };

/** A checkpoint on disk, made from another program's adapter. */
export interface ImportedAdapter extends WrittenCheckpoint, Pick<LoraAdapter, 'rank' | 'alpha' | 'targets'> {
  /** Base model that the adapter's own configuration names; empty: it names none. */
  readonly namedBase: string;
  /** Absent: every module has this rank, and the scale `alpha / rank`. */
  readonly variant?: LoraVariantOptions;
}

/**
 * Checks an adapter in PEFT's layout, and writes it into `directory` as a checkpoint: float32, named as this engine
 * names tensors, without optimiser moments. One tensor is in memory at a time. The same adapter gives the same bytes.
 *
 * @throws AdapterDamagedError also when the adapter's values are too large for float32 once they are multiplied
 * @throws AdapterUnsupportedError
 */
export async function importPeftAdapter(
  directory: string,
  { source, config, baseModel, maxBytes = 0, state = UNKNOWN_STATE }: AdapterImport,
): Promise<ImportedAdapter> {
  const file = await PeftAdapterFile.open(source, config);
  try {
    const { baseModel: namedBase, ...options } = file.settings;
    const configFile = join(source, ADAPTER_CONFIG_FILE);
    assertAlphas(configFile, options);
    assertPadding(configFile, file, maxBytes);
    const planned = file.tensors.map(({ name, shape }) => ({ name: PEFT_PREFIX + name, shape }));
    const sizes = new Map<string, number>();
    const read = async (name: string) => {
      const tensor = await file.read(name.slice(PEFT_PREFIX.length));
      sizes.set(name, largestMagnitude(tensor.data));
      return tensor;
    };
    const written = await writeFiles(directory, [
      adapterConfigFile({ baseModel, ...options }),
      [ADAPTER_WEIGHTS_FILE, (path) => writeSafetensorsStream(path, planned, read, METADATA)],
      stateFile('lora', state),
    ]);
    assertProductsFit(sizes, file.settings, join(source, ADAPTER_WEIGHTS_FILE));
    const { variant, rank, alpha, targets } = options;
    return { ...written, namedBase, rank, alpha, targets, ...(variant && { variant: optionsOf(variant) }) };
  } finally {
    await file.close();
  }
}

/** Without what they resolve to, which is as large as the model. */
const optionsOf = ({ useRslora, rankPattern, alphaPattern }: LoraVariantOptions): LoraVariantOptions => ({
  useRslora,
  rankPattern,
  alphaPattern,
});

/** @throws AdapterUnsupportedError */
function assertAlphas(file: string, { alpha, variant }: LoraScaling): void {
  const alphas = [['lora_alpha', alpha] as const, ...Object.values(variant?.alphaPattern ?? {}).map(inPattern)];
  const tooLarge = alphas.find(([, value]) => value > MAX_ALPHA);
  if (!tooLarge) return;
  const [field, value] = tooLarge;
  throw new AdapterUnsupportedError(file, `${field} has ${value}, at most ${MAX_ALPHA} is supported`);
}

/** @throws AdapterUnsupportedError a few large modules make the others as large in memory */
function assertPadding(configFile: string, { settings, tensors }: PeftAdapterFile, maxBytes: number): void {
  const rank = storedRankOf(settings);
  let [stored, padded] = [0, 0];
  for (const { name, shape } of tensors) {
    const bytes = shape.reduce((product, size) => product * size, Float32Array.BYTES_PER_ELEMENT);
    stored += bytes;
    padded += (bytes / moduleScaleOf(settings, matrixOf(name).path).rank) * rank;
  }
  if (padded <= Math.max(MAX_PADDING * stored, maxBytes)) return;
  const reason = `rank_pattern gives a module the rank ${rank}, to which smaller ones are padded in memory`;
  const sizes = `${padded} bytes in place of ${stored}, more than ${MAX_PADDING} times as much`;
  throw new AdapterUnsupportedError(configFile, `${reason}: ${sizes}`);
}

const inPattern = (value: number) => ['alpha_pattern', value] as const;

/** No element of scale·B·A is larger than scale times rank times the largest of B times the largest of A. */
function assertProductsFit(sizes: ReadonlyMap<string, number>, adapter: LoraScaling, path: string): void {
  for (const [name, size] of sizes) {
    if (size > MAX_NUMBER) throw new AdapterDamagedError(path, `${name} has values above ${MAX_NUMBER}`);
  }
  for (const [name, size] of sizes) {
    const { rank, scale } = moduleScaleOf(adapter, matrixOf(name.slice(PEFT_PREFIX.length)).path);
    const partner = sizes.get(name.replace(/lora_B\.weight$/, 'lora_A.weight')) ?? 0;
    if (!name.endsWith('lora_B.weight') || scale * rank * size * partner < MAX_PRODUCT) continue;
    throw new AdapterDamagedError(path, `${name} has values that are too large to be multiplied`);
  }
}
