import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { type StoredTensor, type StoredWeights, toFloats } from '../../blocks/index.js';
import { areFinite } from '../../finite.js';
import { isFloatFormat } from '../../float-formats.js';
import type { FloatTensor, Weights } from '../../tensor.js';
import { findJsonFields, shownValue } from '../config/json-fields.js';
import type { LlamaConfig } from '../config/llama-config.js';
import {
  BaseModelDamagedError,
  TensorMissingError,
  TensorShapeError,
  TensorTypeError,
} from '../config/model.errors.js';
import { tensorShapes } from '../config/tensor-shapes.js';
import { assertGgufFits, GGUF_FILE, readGgufWeights } from './gguf-weights.js';
import { SafetensorsFormatError } from './safetensors.errors.js';
import { SafetensorsFile } from './safetensors-reader.js';

export const WEIGHTS_FILE = 'model.safetensors';
export const WEIGHTS_INDEX_FILE = 'model.safetensors.index.json';

/**
 * Reads the weights of a model folder as float32: of `model.safetensors`, of `model.gguf`, or of the shards that
 * `model.safetensors.index.json` lists. Tensors that the configuration does not ask for are not read (old
 * files store rotary frequencies, and some a head that is tied).
 *
 * @throws BaseModelDamagedError, GgufDamagedError a file is missing or cut short, or a value is not finite
 * @throws GgufUnreadableError model.gguf has a type of tensor that is not read
 * @throws TensorMissingError
 * @throws TensorShapeError
 * @throws TensorTypeError
 */
export async function loadWeights(directory: string, config: LlamaConfig): Promise<Weights> {
  const files = await listWeightFiles(directory);
  const weights = new Map<string, FloatTensor>();
  if (isGguf(files)) {
    for await (const [name, tensor] of readGgufWeights(files[0], config)) weights.set(name, toFloats(tensor));
    return weights;
  }
  const wanted = tensorShapes(config);
  for (const file of files) await readWanted(file, wanted, weights);
  for (const [name, shape] of wanted) {
    if (!weights.has(name)) throw new TensorMissingError(directory, name, shape);
  }
  return weights;
}

/**
 * Reads the weights in the form in which the files have them: blocks of `model.gguf` stay blocks, floats are float32.
 *
 * @throws as {@link loadWeights}
 */
export async function loadStoredWeights(directory: string, config: LlamaConfig): Promise<StoredWeights> {
  const files = await listWeightFiles(directory);
  if (!isGguf(files)) return loadWeights(directory, config);
  const weights = new Map<string, StoredTensor>();
  for await (const [name, tensor] of readGgufWeights(files[0], config)) weights.set(name, tensor);
  return weights;
}

/**
 * Checks by the headers of the files that {@link loadWeights} would find every tensor. Values are not read.
 *
 * @throws as {@link loadWeights}
 */
export async function assertWeightsFit(directory: string, config: LlamaConfig): Promise<void> {
  const files = await listWeightFiles(directory);
  if (isGguf(files)) return assertGgufFits(files[0], config);
  const missing = new Map(tensorShapes(config));
  for (const path of files) {
    const file = await asModelDamage(SafetensorsFile.open(path));
    await file.close();
    for (const [name, entry] of file.entries) {
      const shape = missing.get(name);
      if (!shape) continue;
      if (entry.shape.join() !== shape.join()) throw new TensorShapeError(path, name, shape, entry.shape);
      if (!isFloatFormat(entry.dtype)) throw new TensorTypeError(path, name, entry.dtype);
      missing.delete(name);
    }
  }
  for (const [name, shape] of missing) throw new TensorMissingError(directory, name, shape);
}

/** Paths of the files that hold the weights, in the order of their names. @throws BaseModelDamagedError */
export async function listWeightFiles(directory: string): Promise<string[]> {
  const single = join(directory, WEIGHTS_FILE);
  if (await isFile(single)) return [single];
  const gguf = join(directory, GGUF_FILE);
  if (await isFile(gguf)) return [gguf];
  const index = await findJsonFields(join(directory, WEIGHTS_INDEX_FILE));
  if (!index) {
    throw new BaseModelDamagedError(
      directory,
      `neither ${WEIGHTS_FILE} nor ${WEIGHTS_INDEX_FILE} nor ${GGUF_FILE} is there`,
    );
  }
  const shards = shardNames(index.file, Object.values(index.object('weight_map')?.values ?? {}));
  for (const shard of shards) {
    if (!(await isFile(join(directory, shard)))) {
      throw new BaseModelDamagedError(join(directory, shard), `the file is missing, ${WEIGHTS_INDEX_FILE} lists it`);
    }
  }
  return shards.map((shard) => join(directory, shard));
}

/** The distinct shards of an index. It comes with the model: a path in it must not lead out of the folder. */
export function shardNames(indexFile: string, listed: readonly unknown[]): string[] {
  const names = [...new Set(listed)];
  const bad = names.find((name) => typeof name !== 'string' || !/^[\w][\w.-]*\.safetensors$/.test(name));
  if (bad !== undefined || names.length === 0) {
    throw new BaseModelDamagedError(indexFile, `weight_map names ${shownValue(bad ?? null)}, expected file names`);
  }
  return (names as string[]).sort();
}

async function readWanted(
  path: string,
  wanted: ReadonlyMap<string, readonly number[]>,
  weights: Map<string, FloatTensor>,
): Promise<void> {
  const file = await asModelDamage(SafetensorsFile.open(path));
  try {
    for (const [name, entry] of file.entries) {
      const shape = wanted.get(name);
      if (!shape) continue;
      // Before the read: a tensor of a wrong shape may be larger than memory.
      if (entry.shape.join() !== shape.join()) throw new TensorShapeError(path, name, shape, entry.shape);
      const tensor = await asModelDamage(file.read(name));
      if (!areFinite(tensor.data)) throw new BaseModelDamagedError(path, `${name} has a value that is not finite`);
      weights.set(name, tensor);
    }
  } finally {
    await file.close();
  }
}

/** A model has one GGUF file, or any number of others. */
function isGguf(files: readonly string[]): files is readonly [string] {
  return files.length === 1 && basename(files[0]!) === GGUF_FILE;
}

/** Reports a damaged file as the model's. */
export async function asModelDamage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SafetensorsFormatError)) throw error;
    throw new BaseModelDamagedError(error.file, error.reason, { cause: error });
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Whether a model's matrices are in blocks of few bits, by the kind of its file. @throws BaseModelDamagedError */
export async function hasBlockWeights(directory: string): Promise<boolean> {
  return isGguf(await listWeightFiles(directory));
}
