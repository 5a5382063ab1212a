import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeDurably, type WrittenFile } from '../model/weights/durable-file.js';
import { writeSafetensors } from '../model/weights/safetensors-writer.js';
import { WEIGHTS_FILE } from '../model/weights/weights.js';
import type { Weights } from '../tensor.js';
import { toAdapterConfig } from './adapter-config.js';
import {
  type CheckpointParts,
  type CheckpointState,
  KEPT_FILE,
  OPTIMIZER_FILE,
  STATE_FILE,
  type TrainedWeights,
} from './checkpoint.js';
import type { LoraAdapter } from './lora-adapter.js';
import { encodeManifest, MANIFEST_FILE, type ManifestEntry } from './manifest.js';
import { ADAPTER_CONFIG_FILE, ADAPTER_WEIGHTS_FILE, PEFT_PREFIX } from './open-adapter.js';
import { cutToRank } from './ranked-modules.js';

/** Files that, with the weights, make a folder a complete model for other programs. */
const MODEL_FILES = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'chat_template.jinja',
];
/** PyTorch's loaders refuse files without this metadata. */
export const METADATA = { format: 'pt' };

/** A checkpoint on disk. */
export interface WrittenCheckpoint {
  /** SHA-256 (hex) of `manifest.json`: vouches for every file. */
  readonly sha256: string;
  /** Size of all files together. */
  readonly bytes: number;
}

/**
 * Writes a checkpoint into `directory`, which is created; on return all of it is on the disk. The same parts give
 * the same bytes. The manifest comes last: without it there is no checkpoint. Write into a temporary
 * folder, and rename it.
 *
 * @param baseDirectory folder of the base model: a full checkpoint takes configuration and tokenizer from there
 */
export async function writeCheckpoint(
  directory: string,
  parts: CheckpointParts,
  baseDirectory: string,
): Promise<WrittenCheckpoint> {
  return writeFiles(directory, await planFiles(parts, baseDirectory));
}

/** Writes a checkpoint without weights: a training server keeps them. */
export async function writeCheckpointState(directory: string, state: CheckpointState): Promise<WrittenCheckpoint> {
  return writeFiles(directory, [stateFile('lora', state)]);
}

/** Writes one file at the path that it is given. */
type WriteFile = (path: string) => Promise<WrittenFile>;
export type PlannedFile = readonly [name: string, write: WriteFile];

/** Writes files, and last the manifest that makes them a checkpoint. */
export async function writeFiles(directory: string, planned: readonly PlannedFile[]): Promise<WrittenCheckpoint> {
  await mkdir(directory, { recursive: true });
  const files: ManifestEntry[] = [];
  for (const [path, write] of planned) files.push({ path, ...(await write(join(directory, path))) });
  const manifest = await writeDurably(join(directory, MANIFEST_FILE), [encodeManifest(files)]);
  await syncDirectory(directory);
  return { sha256: manifest.sha256, bytes: files.reduce((sum, { bytes }) => sum + bytes, manifest.bytes) };
}

async function planFiles(parts: CheckpointParts, baseDirectory: string): Promise<PlannedFile[]> {
  const { trained, optimizer, state } = parts;
  const files =
    trained.kind === 'lora' ? adapterFiles(trained.adapter) : await modelFiles(trained.weights, baseDirectory);
  // Beyond its rank a module and its moments are zero.
  const cut = (tensors: Weights) => (trained.kind === 'lora' ? cutToRank({ ...trained.adapter, tensors }) : tensors);
  if (optimizer) {
    const moments = new Map([...prefixed(cut(optimizer.m), 'm.'), ...prefixed(cut(optimizer.v), 'v.')]);
    files.push([OPTIMIZER_FILE, (path) => writeSafetensors(path, moments)]);
  }
  if (parts.kept) {
    const [p, m, v] = [parts.kept.p, parts.kept.m, parts.kept.v].map(cut) as [Weights, Weights, Weights];
    const kept = new Map([...prefixed(p, 'p.'), ...prefixed(m, 'm.'), ...prefixed(v, 'v.')]);
    files.push([KEPT_FILE, (path) => writeSafetensors(path, kept)]);
  }
  files.push(stateFile(trained.kind, state));
  return files;
}

export function stateFile(kind: TrainedWeights['kind'], state: CheckpointState): PlannedFile {
  const { step, optimizerSteps, rng, config } = state;
  return [STATE_FILE, writeJson({ kind, step, optimizer_steps: optimizerSteps, rng, config })];
}

export function adapterConfigFile(adapter: Parameters<typeof toAdapterConfig>[0]): PlannedFile {
  return [ADAPTER_CONFIG_FILE, writeJson(toAdapterConfig(adapter))];
}

function adapterFiles(adapter: LoraAdapter): PlannedFile[] {
  return [
    adapterConfigFile(adapter),
    [ADAPTER_WEIGHTS_FILE, (path) => writeSafetensors(path, prefixed(cutToRank(adapter), PEFT_PREFIX), METADATA)],
  ];
}

async function modelFiles(weights: Weights, baseDirectory: string): Promise<PlannedFile[]> {
  const files: PlannedFile[] = [[WEIGHTS_FILE, (path) => writeSafetensors(path, weights, METADATA)]];
  for (const name of MODEL_FILES) {
    const content = await readFile(join(baseDirectory, name)).catch(ignoreMissing);
    if (content) files.push([name, (path) => writeDurably(path, [content])]);
  }
  return files;
}

function writeJson(value: unknown): WriteFile {
  return (path) => writeDurably(path, [Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8')]);
}

function prefixed(tensors: Weights, prefix: string): Weights {
  return new Map(Array.from(tensors, ([name, tensor]) => [prefix + name, tensor]));
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** A new file's name is durable only after its folder is synced. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
