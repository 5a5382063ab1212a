import { join } from 'node:path';

import { areFinite } from '../finite.js';
import type { DecoderShape } from '../model/config/decoder-shape.js';
import { findJsonFields, shortened } from '../model/config/json-fields.js';
import { BaseModelDamagedError, TensorTypeError } from '../model/config/model.errors.js';
import { SafetensorsFormatError } from '../model/weights/safetensors.errors.js';
import { SafetensorsFile } from '../model/weights/safetensors-reader.js';
import type { PlannedTensor } from '../model/weights/safetensors-writer.js';
import type { FloatTensor } from '../tensor.js';
import { type LoraScaling, moduleScaleOf } from '../train/lora-variant.js';
import type { ProjectionName } from '../train/trained-parameters.js';
import { type AdapterSettings, isProjection, readAdapterSettings } from './adapter-config.js';
import { AdapterDamagedError, AdapterUnsupportedError } from './checkpoint.errors.js';
import { type AdaptedModule, adaptedModules, inOrder, type LoraAdapter } from './lora-adapter.js';
import { loraVariantOf } from './lora-variant-of.js';

export const ADAPTER_CONFIG_FILE = 'adapter_config.json';
export const ADAPTER_WEIGHTS_FILE = 'adapter_model.safetensors';
/** PEFT wraps the model twice before it names its tensors. */
export const PEFT_PREFIX = 'base_model.model.';

/** PEFT's own files leave out the adapter's name, `default`; state dictionaries that were saved by hand have it. */
const TENSOR_NAME = /^base_model\.model\.(model\.layers\.\d+\.\w+\.(\w+)\.lora_[AB])(?:\.default)?\.weight$/;
const MAX_SHOWN = 120;

/**
 * An adapter in PEFT's layout, ours or another's, whose configuration, names and shapes fit a base model. Tensors are
 * read one by one.
 */
export class PeftAdapterFile {
  private constructor(
    readonly settings: Omit<LoraAdapter, 'tensors'>,
    /** All tensors of the adapter as they are stored, named as in a `LoraAdapter`, layer by layer. */
    readonly tensors: readonly PlannedTensor[],
    private readonly file: SafetensorsFile,
    /** Name in a `LoraAdapter` -> name in the file, in the order of the file. */
    private readonly storedNames: ReadonlyMap<string, string>,
  ) {}

  /**
   * @param weights bytes of the tensors' file, if they were read before
   * @throws AdapterDamagedError a file or tensor is missing, or has another shape than the base model asks for
   * @throws AdapterUnsupportedError it is not plain LoRA on projections, the same ones in every layer
   */
  static async open(directory: string, config: DecoderShape, weights?: Uint8Array): Promise<PeftAdapterFile> {
    const settings = await readSettings(join(directory, ADAPTER_CONFIG_FILE));
    const file = await openTensors(join(directory, ADAPTER_WEIGHTS_FILE), weights);
    try {
      const { targets, storedNames } = findTargets(file, settings);
      const modules = adaptedModules(config, targets);
      const { baseModel, rank, alpha } = settings;
      const variant = loraVariantOf(join(directory, ADAPTER_CONFIG_FILE), settings, settings.variant, modules);
      const adapter = { baseModel, rank, alpha, targets, ...(variant && { variant }) };
      assertScales(join(directory, ADAPTER_CONFIG_FILE), adapter, modules);
      const tensors = modules.flatMap(({ path, a, b, out, in: columns }): PlannedTensor[] => {
        const { rank: ownRank } = moduleScaleOf(adapter, path);
        return [
          { name: a, shape: [ownRank, columns] },
          { name: b, shape: [out, ownRank] },
        ];
      });
      assertSame(file, tensors, storedNames);
      return new PeftAdapterFile(adapter, tensors, file, storedNames);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * @throws AdapterDamagedError a value is not finite, or the file became shorter
   * @throws AdapterUnsupportedError it is stored as something else than F32, F16 or BF16
   */
  async read(name: string): Promise<FloatTensor> {
    const stored = this.storedNames.get(name) ?? name;
    return this.finite(stored, await asAdapterFile(this.file.read(stored)));
  }

  /** Reads all tensors, named as in a `LoraAdapter`, into one buffer that holds nothing else. @throws as {@link read} */
  async readAll(): Promise<Map<string, FloatTensor>> {
    const read = await asAdapterFile(this.file.readTogether([...this.storedNames.values()]));
    const tensors = new Map<string, FloatTensor>();
    for (const { name } of this.tensors) {
      const stored = this.storedNames.get(name) as string;
      tensors.set(name, this.finite(stored, read.get(stored) as FloatTensor));
    }
    return tensors;
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private finite(stored: string, tensor: FloatTensor): FloatTensor {
    if (areFinite(tensor.data)) return tensor;
    throw new AdapterDamagedError(this.file.path, `${stored} has a value that is not finite`);
  }
}

async function readSettings(path: string): Promise<AdapterSettings> {
  const fields = await findJsonFields(path).catch((error: unknown) => {
    if (!(error instanceof BaseModelDamagedError)) throw error;
    throw new AdapterDamagedError(path, 'expected a JSON object', { cause: error });
  });
  if (!fields) throw new AdapterDamagedError(path, 'the file is missing');
  return readAdapterSettings(fields);
}

async function openTensors(path: string, bytes?: Uint8Array): Promise<SafetensorsFile> {
  try {
    return await asAdapterFile(bytes ? SafetensorsFile.ofBytes(path, bytes) : SafetensorsFile.open(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new AdapterDamagedError(path, 'the file is missing', { cause: error });
  }
}

/** The projections that have tensors. The configuration may name them by a pattern; then the tensors decide. */
function findTargets(
  file: SafetensorsFile,
  { targets: named }: AdapterSettings,
): { targets: ProjectionName[]; storedNames: Map<string, string> } {
  const modules = modulesOf(file);
  const outside = named.fieldsAgainst([...new Set(modules.values())]);
  const found = new Set<ProjectionName>();
  const storedNames = new Map<string, string>();
  for (const [stored, module] of modules) {
    const field = outside.get(module);
    if (field !== undefined) {
      throw new AdapterDamagedError(file.path, `${shown(stored)} is not named by ${field} of ${ADAPTER_CONFIG_FILE}`);
    }
    const name = `${TENSOR_NAME.exec(stored)?.[1]}.weight`;
    if (storedNames.has(name)) throw new AdapterDamagedError(file.path, `${shown(stored)} is there under two names`);
    storedNames.set(name, stored);
    found.add(module.slice(module.lastIndexOf('.') + 1) as ProjectionName);
  }
  if (found.size === 0) throw new AdapterDamagedError(file.path, 'it has no tensors');
  const stranger = named.listed?.find((module) => !found.has(module as ProjectionName));
  if (stranger !== undefined) {
    const reason = `it has no tensors for ${shown(stranger)}, which ${ADAPTER_CONFIG_FILE} lists`;
    throw new AdapterDamagedError(file.path, reason);
  }
  return { targets: inOrder([...found]), storedNames };
}

/** The module of each tensor, such as `model.layers.0.self_attn.q_proj`. @throws AdapterUnsupportedError */
function modulesOf(file: SafetensorsFile): Map<string, string> {
  const modules = new Map<string, string>();
  for (const stored of file.entries.keys()) {
    const [, path = '', projection = ''] = TENSOR_NAME.exec(stored) ?? [];
    if (!isProjection(projection)) {
      throw new AdapterUnsupportedError(file.path, `${shown(stored)} does not adapt a projection`);
    }
    modules.set(stored, path.slice(0, path.lastIndexOf('.')));
  }
  return modules;
}

/** An infinite scale makes NaN of the zeros by which other adapters of a batch are multiplied. */
function assertScales(file: string, adapter: LoraScaling, modules: readonly Pick<AdaptedModule, 'path'>[]): void {
  const tooLarge = modules.find(({ path }) => !Number.isFinite(Math.fround(moduleScaleOf(adapter, path).scale)));
  if (!tooLarge) return;
  throw new AdapterDamagedError(file, `the scale of ${tooLarge.path} is larger than a float32 can be`);
}

function assertSame(
  file: SafetensorsFile,
  expected: readonly PlannedTensor[],
  storedNames: ReadonlyMap<string, string>,
): void {
  for (const { name, shape } of expected) {
    const stored = storedNames.get(name);
    if (stored === undefined) {
      const reason = `${PEFT_PREFIX}${name} is missing, expected shape [${shape.join(', ')}]`;
      throw new AdapterDamagedError(file.path, reason);
    }
    const found = file.entries.get(stored)?.shape ?? [];
    if (found.join() !== shape.join()) {
      const shapes = `the shape ${shown(`[${found.join(', ')}]`)}, expected [${shape.join(', ')}]`;
      throw new AdapterDamagedError(file.path, `${stored} has ${shapes}`);
    }
  }
  if (storedNames.size > expected.length) {
    const names = new Set(expected.map(({ name }) => name));
    const extra = [...storedNames].find(([name]) => !names.has(name))?.[1] ?? '';
    throw new AdapterDamagedError(file.path, `the base model has no place for ${shown(extra)}`);
  }
}

/** Shortens a name: another program's file may hold names of any length. */
const shown = (text: string): string => shortened(text, MAX_SHOWN);

function asAdapterFile<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw asAdapterError(error);
  });
}

function asAdapterError(error: unknown): unknown {
  if (error instanceof SafetensorsFormatError)
    return new AdapterDamagedError(error.file, error.reason, { cause: error });
  if (error instanceof TensorTypeError) return new AdapterUnsupportedError(error.file, error.reason, { cause: error });
  return error;
}
