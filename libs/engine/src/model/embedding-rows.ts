import { readSync } from 'node:fs';

import { inForm, isKept, toFloats, type WeightForm } from '../blocks/index.js';
import { emptyTensor, floatType, GgufFile, ggufTensorName, type TensorType, widenRow } from '../gguf-reader/index.js';
import { isFloatFormat } from '../float-formats.js';
import type { FloatTensor } from '../tensor.js';

import type { DecoderShape } from './decoder-shape.js';
import { GGUF_FILE } from './gguf-weights.js';
import { BaseModelDamagedError, TensorMissingError, TensorShapeError, TensorTypeError } from './model.errors.js';
import { SafetensorsFile } from './safetensors-reader.js';
import { asModelDamage, listWeightFiles } from './weights.js';

const EMBEDDING = 'model.embed_tokens.weight';

/** Where a file has the embedding. */
interface EmbeddingPlace {
  readonly path: string;
  readonly fd: number;
  /** Byte offset of the first row. */
  readonly position: number;
  readonly type: TensorType;
  readonly shape: readonly number[];
  readonly close: () => Promise<void>;
}

/** Reads rows of the embedding from the file when they are asked for: the page cache holds them, not the heap. */
export class EmbeddingRows {
  private readonly row: Buffer;
  private readonly parts;

  constructor(
    private readonly place: EmbeddingPlace,
    private readonly config: DecoderShape,
    private readonly form: WeightForm,
  ) {
    const { type } = place;
    this.row = Buffer.alloc((config.hiddenSize / type.packNumbers) * type.packBytes);
    this.parts = emptyTensor({ type, shape: [config.hiddenSize] });
  }

  /**
   * Blocks for the time of the reads.
   *
   * @param ids token ids, each below the size of the vocabulary
   * @returns `[ids, hidden]`, float32
   * @throws BaseModelDamagedError the file became shorter
   */
  rows(ids: readonly number[]): Float32Array {
    const { hiddenSize } = this.config;
    const target = new Float32Array(ids.length * hiddenSize);
    for (const [index, id] of ids.entries()) {
      this.readRow(id);
      widenRow(this.place.type, this.row, this.parts, target.subarray(index * hiddenSize, (index + 1) * hiddenSize));
    }
    return this.rounded({ shape: [ids.length, hiddenSize], data: target });
  }

  close(): Promise<void> {
    return this.place.close();
  }

  /** What the numbers are when the whole matrix is held in the form: blocks lie within rows. */
  private rounded(rows: FloatTensor): Float32Array {
    const { tiedHead } = this.config;
    const { blocks } = this.place.type;
    if (blocks !== null && isKept(blocks.bits, this.form, tiedHead)) return rows.data;
    return toFloats(inForm(rows, this.form, tiedHead)).data;
  }

  private readRow(id: number): void {
    const { path, fd, position } = this.place;
    if (!(Number.isInteger(id) && id >= 0 && id < this.config.vocabSize))
      throw new RangeError(`There is no token ${id}.`);
    const from = position + id * this.row.length;
    for (let done = 0; done < this.row.length;) {
      const bytes = readSync(fd, this.row, done, this.row.length - done, from + done);
      if (bytes === 0) throw new BaseModelDamagedError(path, `it ends at byte ${from + done}`);
      done += bytes;
    }
  }
}

/**
 * Opens the embedding of a model folder, of `model.gguf` in any of its types or of safetensors.
 *
 * @param form in which the weights of the model are held
 * @throws as `loadWeights` does for this tensor
 */
export async function openEmbeddingRows(
  directory: string,
  config: DecoderShape,
  form: WeightForm = 'auto',
): Promise<EmbeddingRows> {
  const expected = [config.vocabSize, config.hiddenSize];
  for (const path of await listWeightFiles(directory)) {
    const place = path.endsWith(GGUF_FILE) ? await placeInGguf(path) : await placeInSafetensors(path);
    if (place === null) continue;
    if (place.shape.join() === expected.join()) return new EmbeddingRows(place, config, form);
    await place.close();
    throw new TensorShapeError(path, EMBEDDING, expected, place.shape);
  }
  throw new TensorMissingError(directory, EMBEDDING, expected);
}

async function placeInGguf(path: string): Promise<EmbeddingPlace | null> {
  const file = await GgufFile.open(path, false);
  const place = file.locate(ggufTensorName(EMBEDDING)!);
  if (place === null) {
    await file.close();
    return null;
  }
  const { info, fd, position } = place;
  return { path, fd, position, type: info.type, shape: info.shape, close: () => file.close() };
}

async function placeInSafetensors(path: string): Promise<EmbeddingPlace | null> {
  const file = await asModelDamage(SafetensorsFile.open(path));
  const place = file.locate(EMBEDDING);
  if (place === null || !isFloatFormat(place.dtype)) {
    await file.close();
    if (place !== null) throw new TensorTypeError(path, EMBEDDING, place.dtype);
    return null;
  }
  const { fd, position, dtype, shape } = place;
  return { path, fd, position, type: floatType(dtype), shape, close: () => file.close() };
}
