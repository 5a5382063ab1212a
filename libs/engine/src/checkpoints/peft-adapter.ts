import { join } from 'node:path';

import { areFinite } from '../finite.js';
import { findJsonFields } from '../model/json-fields.js';
import type { LlamaConfig } from '../model/llama-config.js';
import { TensorTypeError } from '../model/model.errors.js';
import { SafetensorsFile } from '../model/safetensors-reader.js';
import { SafetensorsFormatError } from '../model/safetensors.errors.js';
import type { FloatTensor } from '../tensor.js';
import type { ProjectionName } from '../train/trained-parameters.js';

import { isProjection, readAdapterSettings, type AdapterSettings } from './adapter-config.js';
import { AdapterDamagedError, AdapterUnsupportedError } from './checkpoint.errors.js';
import { adaptedModules, inOrder, type LoraAdapter } from './lora-adapter.js';

export const ADAPTER_CONFIG_FILE = 'adapter_config.json';
export const ADAPTER_WEIGHTS_FILE = 'adapter_model.safetensors';
/** PEFT wraps the model twice before it names its tensors. */
export const PEFT_PREFIX = 'base_model.model.';

const TENSOR_NAME = /^base_model\.model\.(model\.layers\.\d+\.\w+\.(\w+)\.lora_[AB]\.weight)$/;

/**
 * Reads an adapter in PEFT's layout, ours or another's, for a base model.
 *
 * @throws AdapterDamagedError a file or tensor is missing, has another shape than the base model asks for, or a value
 *   that is not finite
 * @throws AdapterUnsupportedError it is not plain LoRA on projections, the same ones in every layer
 */
export async function readPeftAdapter(directory: string, config: LlamaConfig): Promise<LoraAdapter> {
  const fields = await findJsonFields(join(directory, ADAPTER_CONFIG_FILE));
  if (!fields) throw new AdapterDamagedError(join(directory, ADAPTER_CONFIG_FILE), 'the file is missing');
  const settings = readAdapterSettings(fields);
  const file = await openTensors(join(directory, ADAPTER_WEIGHTS_FILE));
  try {
    const targets = findTargets(file, settings);
    const tensors = await readTensors(file, config, settings.rank, targets);
    return { baseModel: settings.baseModel, rank: settings.rank, alpha: settings.alpha, targets, tensors };
  } catch (error) {
    throw asAdapterError(error);
  } finally {
    await file.close();
  }
}

async function openTensors(path: string): Promise<SafetensorsFile> {
  try {
    return await SafetensorsFile.open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw asAdapterError(error);
    throw new AdapterDamagedError(path, 'the file is missing', { cause: error });
  }
}

/** The projections that have tensors. The configuration may name them by a pattern; then the tensors decide. */
function findTargets(file: SafetensorsFile, { modules }: AdapterSettings): ProjectionName[] {
  const found = new Set<ProjectionName>();
  for (const name of file.entries.keys()) {
    const module = TENSOR_NAME.exec(name)?.[2] ?? '';
    if (!isProjection(module)) throw new AdapterUnsupportedError(file.path, `${name} does not adapt a projection`);
    found.add(module);
  }
  const stranger = modules?.find((module) => !found.has(module as ProjectionName));
  if (stranger !== undefined) {
    throw new AdapterDamagedError(file.path, `it has no tensors for ${stranger}, which ${ADAPTER_CONFIG_FILE} lists`);
  }
  return inOrder([...found]);
}

async function readTensors(
  file: SafetensorsFile,
  config: LlamaConfig,
  rank: number,
  targets: readonly ProjectionName[],
): Promise<Map<string, FloatTensor>> {
  const expected = adaptedModules(config, targets).flatMap((module) => [
    { name: module.a, shape: [rank, module.in] },
    { name: module.b, shape: [module.out, rank] },
  ]);
  const tensors = new Map<string, FloatTensor>();
  for (const { name, shape } of expected) tensors.set(name, await readTensor(file, PEFT_PREFIX + name, shape));
  if (file.entries.size > tensors.size) {
    const extra = [...file.entries.keys()].find((name) => !tensors.has(name.slice(PEFT_PREFIX.length)));
    throw new AdapterDamagedError(file.path, `the base model has no place for ${extra}`);
  }
  return tensors;
}

async function readTensor(file: SafetensorsFile, name: string, shape: readonly number[]): Promise<FloatTensor> {
  const found = file.entries.get(name)?.shape;
  if (!found) {
    throw new AdapterDamagedError(file.path, `${name} is missing, expected shape [${shape.join(', ')}]`);
  }
  if (found.join() !== shape.join()) {
    const shapes = `the shape [${found.join(', ')}], expected [${shape.join(', ')}]`;
    throw new AdapterDamagedError(file.path, `${name} has ${shapes}`);
  }
  const tensor = await file.read(name);
  if (!areFinite(tensor.data)) throw new AdapterDamagedError(file.path, `${name} has a value that is not finite`);
  return tensor;
}

function asAdapterError(error: unknown): unknown {
  if (error instanceof SafetensorsFormatError)
    return new AdapterDamagedError(error.file, error.reason, { cause: error });
  if (error instanceof TensorTypeError) return new AdapterUnsupportedError(error.file, error.reason);
  return error;
}
