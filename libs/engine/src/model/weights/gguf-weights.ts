import { isBlockMatrix, type StoredTensor } from '../../blocks/index.js';
import { GgufFile, type GgufTensorInfo, ggufTensorName, rotaryRowOrder, shown } from '../../gguf-reader/index.js';
import type { LlamaConfig } from '../config/llama-config.js';
import { BaseModelUnsupportedError, TensorMissingError, TensorShapeError } from '../config/model.errors.js';
import { tensorShapes } from '../config/tensor-shapes.js';

/** Weights of a model that came as GGUF, beside a configuration and a tokenizer in the Hugging Face layout. */
export const GGUF_FILE = 'model.gguf';

/**
 * Architectures of llama.cpp whose tensors the engine can find, and whether q and k have their rows interleaved: its
 * rope turns neighbours for these (LLAMA_ROPE_TYPE_NORM of llama-model.cpp).
 */
const INTERLEAVED: ReadonlyMap<unknown, boolean> = new Map([
  ['llama', true],
  ['smollm3', true],
  ['qwen2', false],
  ['qwen3', false],
  ['gemma2', false],
  ['gemma3', false],
]);

/** Architectures of GGUF files whose weights can be read. */
export const GGUF_ARCHITECTURES = [...INTERLEAVED.keys()] as readonly string[];

/**
 * Reads the tensors that the configuration asks for, one by one, in the form of the file.
 *
 * @throws GgufDamagedError, GgufUnreadableError, TensorMissingError, TensorShapeError
 * @throws BaseModelUnsupportedError an architecture whose tensors are not known
 */
export async function* readGgufWeights(
  path: string,
  config: LlamaConfig,
): AsyncGenerator<readonly [name: string, tensor: StoredTensor]> {
  const file = await GgufFile.open(path, false);
  try {
    const wanted = wantedTensors(file, config);
    const names = wanted.map(([name]) => name).values();
    for await (const stored of file.readEach(wanted.map(([, info]) => info.name))) {
      const name = names.next().value as string;
      const tensor = withHfRows(file, config, name, stored);
      yield [name, config.hasUnitNorms && isNorm(name) ? lessOne(tensor) : tensor];
    }
  } finally {
    await file.close();
  }
}

/** Checks by the header that {@link readGgufWeights} would find every tensor. @throws as that does */
export async function assertGgufFits(path: string, config: LlamaConfig): Promise<void> {
  const file = await GgufFile.open(path, false);
  try {
    wantedTensors(file, config);
  } finally {
    await file.close();
  }
}

function wantedTensors(file: GgufFile, config: LlamaConfig): [name: string, info: GgufTensorInfo][] {
  const architecture = file.metadata.get('general.architecture');
  if (!INTERLEAVED.has(architecture)) {
    const found = typeof architecture === 'string' ? shown(architecture) : 'missing';
    const known = GGUF_ARCHITECTURES.join(', ');
    throw new BaseModelUnsupportedError(file.path, `general.architecture is ${found}, expected one of ${known}`);
  }
  return Array.from(tensorShapes(config), ([name, shape]) => {
    const ggufName = ggufTensorName(name, config.hasResultNorms);
    const info = ggufName === null ? undefined : file.tensors.get(ggufName);
    if (!info) throw new TensorMissingError(file.path, ggufName ?? name, shape);
    if (info.shape.join() !== shape.join()) throw new TensorShapeError(file.path, info.name, shape, info.shape);
    if (info.type.blocks !== null && shape.length !== 2) {
      throw new BaseModelUnsupportedError(
        file.path,
        `${info.name} is ${info.type.name}, which is only read for matrices`,
      );
    }
    return [name, info];
  });
}

function withHfRows(file: GgufFile, config: LlamaConfig, name: string, tensor: StoredTensor): StoredTensor {
  const projection = /self_attn\.([qk])_proj\./.exec(name)?.[1];
  if (projection === undefined || !INTERLEAVED.get(file.metadata.get('general.architecture'))) return tensor;
  return reorderRows(
    tensor,
    rotaryRowOrder(tensor.shape[0]!, projection === 'q' ? config.numHeads : config.numKvHeads),
  );
}

const isNorm = (name: string): boolean => name.endsWith('norm.weight');

/** llama.cpp multiplies by the weight of a norm, where the model means one plus the weight. */
function lessOne(tensor: StoredTensor): StoredTensor {
  return isBlockMatrix(tensor) ? tensor : { ...tensor, data: tensor.data.map((value) => value - 1) };
}

/** Row `r` of the result is row `order[r]`. */
function reorderRows(tensor: StoredTensor, order: Uint32Array): StoredTensor {
  if (!isBlockMatrix(tensor)) return { ...tensor, data: reordered(tensor.data, order) };
  const { codes, scales, offsets } = tensor;
  return {
    ...tensor,
    codes: reordered(codes, order),
    scales: reordered(scales, order),
    offsets: offsets && reordered(offsets, order),
  };
}

function reordered<T extends Uint8Array | Float32Array>(source: T, order: Uint32Array): T {
  const width = source.length / order.length;
  const target = source.slice() as T;
  for (const [row, from] of order.entries()) target.set(source.subarray(from * width, (from + 1) * width), row * width);
  return target;
}
