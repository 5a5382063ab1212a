import { join } from 'node:path';

import { EngineError } from '../errors.js';
import { areFinite } from '../finite.js';
import { findJsonFields } from '../model/config/json-fields.js';
import type { LlamaConfig } from '../model/config/llama-config.js';
import { SafetensorsFile } from '../model/weights/safetensors-reader.js';
import { loadWeights, WEIGHTS_FILE } from '../model/weights/weights.js';
import type { Allocate } from '../runtime/spare-buffer.js';
import type { FloatTensor } from '../tensor.js';
import { CheckpointCorruptError } from './checkpoint.errors.js';
import {
  type CheckpointParts,
  type CheckpointState,
  KEPT_FILE,
  OPTIMIZER_FILE,
  STATE_FILE,
  type TrainedWeights,
} from './checkpoint.js';
import { type Manifest, MANIFEST_FILE, type ManifestEntry, readVerified, verifyManifest } from './manifest.js';
import { ADAPTER_CONFIG_FILE, ADAPTER_WEIGHTS_FILE } from './open-adapter.js';
import { readPeftAdapter } from './peft-adapter.js';
import { filledUp, withOneScale } from './ranked-modules.js';

export interface ReadCheckpointOptions {
  /** SHA-256 (hex) that the manifest must have. Absent: the manifest is believed. */
  readonly sha256?: string;
  /**
   * False: serving needs no moments, twice the size of what it needs; they are not read, and an adapter comes with one
   * rank and scale. Default true.
   */
  readonly optimizer?: boolean;
  /** Allocates the memory of an adapter. Absent: new memory. */
  readonly allocate?: Allocate;
}

/**
 * Reads a checkpoint after the hash of every file that is read was compared with the manifest.
 *
 * @param config of the base model
 * @throws CheckpointCorruptError a file is missing or changed, or is not what its name says, or holds a value
 *   that is not finite
 */
export async function readCheckpoint(
  directory: string,
  config: LlamaConfig,
  options: ReadCheckpointOptions = {},
): Promise<CheckpointParts> {
  const goesOn = options.optimizer !== false;
  // The adapter is verified when it is read.
  const others = [ADAPTER_WEIGHTS_FILE, ...(goesOn ? [] : [OPTIMIZER_FILE, KEPT_FILE])];
  const isRead = (path: string) => !others.includes(path);
  const manifest = await verifyManifest(directory, options.sha256, isRead);
  const { kind, state } = await readState(directory, manifest);
  try {
    const trained = await readTrained(directory, manifest, kind, config, options);
    const wantsOptimizer = goesOn && listed(manifest, OPTIMIZER_FILE);
    const optimizer = wantsOptimizer ? await readTensors(join(directory, OPTIMIZER_FILE), ['m', 'v'], trained) : null;
    const wantsKept = goesOn && listed(manifest, KEPT_FILE);
    const kept = wantsKept ? { kept: await readTensors(join(directory, KEPT_FILE), ['p', 'm', 'v'], trained) } : {};
    return { trained, state, optimizer, ...kept };
  } catch (error) {
    if (!(error instanceof EngineError) || error instanceof CheckpointCorruptError) throw error;
    // The hashes match, so the file was written wrong, or for another base model.
    throw new CheckpointCorruptError(directory, error.message.replace(/\.$/, ''), { cause: error });
  }
}

/**
 * The state of a checkpoint, after every file's hash was compared with the manifest.
 *
 * @param sha256 hex, that the manifest must have
 * @throws CheckpointCorruptError
 */
export async function readCheckpointState(directory: string, sha256: string): Promise<CheckpointState> {
  return (await readState(directory, await verifyManifest(directory, sha256))).state;
}

async function readTrained(
  directory: string,
  manifest: Manifest,
  kind: TrainedWeights['kind'],
  config: LlamaConfig,
  { allocate, optimizer: goesOn = true }: ReadCheckpointOptions,
): Promise<TrainedWeights> {
  if (kind === 'lora') {
    assertListed(directory, manifest, ADAPTER_CONFIG_FILE);
    const entry = assertListed(directory, manifest, ADAPTER_WEIGHTS_FILE);
    const weights = await readVerified(directory, entry, allocate);
    const adapter = await readPeftAdapter(directory, config, weights);
    return { kind, adapter: goesOn ? adapter : withOneScale(adapter) };
  }
  assertListed(directory, manifest, WEIGHTS_FILE);
  return { kind, weights: await loadWeights(directory, config) };
}

async function readState(
  directory: string,
  manifest: Manifest,
): Promise<{ kind: TrainedWeights['kind']; state: CheckpointState }> {
  assertListed(directory, manifest, STATE_FILE);
  const path = join(directory, STATE_FILE);
  const { kind, step, optimizer_steps: optimizerSteps, rng, config } = (await findJsonFields(path))?.values ?? {};
  if ((kind === 'lora' || kind === 'full') && isCount(step) && isCount(optimizerSteps)) {
    return { kind, state: { step, optimizerSteps, rng: rng ?? null, config: config ?? null } };
  }
  throw new CheckpointCorruptError(path, 'kind, step or optimizer_steps is missing or not valid');
}

/** Tensors whose names start with `<kind>.`, by kind and the rest of the name, each in the shape of the trained tensor. */
async function readTensors<Kind extends string>(
  path: string,
  kinds: readonly Kind[],
  trained: TrainedWeights,
): Promise<Record<Kind, Map<string, FloatTensor>>> {
  const tensors = new Map(kinds.map((kind): [Kind, Map<string, FloatTensor>] => [kind, new Map()]));
  const file = await SafetensorsFile.open(path);
  try {
    for (const name of file.entries.keys()) {
      const kind = tensors.get(name.slice(0, name.indexOf('.')) as Kind);
      if (!kind) throw new CheckpointCorruptError(path, `${name} is no moment`);
      const tensor = await file.read(name);
      if (!areFinite(tensor.data)) throw new CheckpointCorruptError(path, `${name} has a value that is not finite`);
      kind.set(name.slice(name.indexOf('.') + 1), tensor);
    }
  } finally {
    await file.close();
  }
  if (trained.kind === 'lora') for (const [kind, found] of tensors) tensors.set(kind, filledUp(trained.adapter, found));
  return Object.fromEntries(tensors) as Record<Kind, Map<string, FloatTensor>>;
}

function assertListed(directory: string, manifest: Manifest, file: string): ManifestEntry {
  const entry = listed(manifest, file);
  if (entry) return entry;
  throw new CheckpointCorruptError(join(directory, file), `${MANIFEST_FILE} does not list it`);
}

const listed = (manifest: Manifest, file: string): ManifestEntry | undefined =>
  manifest.files.find(({ path }) => path === file);

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
