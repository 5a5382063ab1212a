import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { inForm, isKept, toFloats, type WeightForm } from '../../blocks/index.js';
import { isFloatFormat } from '../../float-formats.js';
import {
  emptyTensor,
  GgufFile,
  ggufTensorName,
  type TensorType,
  tensorTypeNamed,
  widenRow,
} from '../../gguf-reader/index.js';
import type { FloatTensor } from '../../tensor.js';
import type { DecoderShape } from '../config/decoder-shape.js';
import {
  BaseModelDamagedError,
  TensorMissingError,
  TensorShapeError,
  TensorTypeError,
} from '../config/model.errors.js';
import { GGUF_FILE } from './gguf-weights.js';
import { SafetensorsFile } from './safetensors-reader.js';
import { asModelDamage, listWeightFiles } from './weights.js';

const EMBEDDING = 'model.embed_tokens.weight';

/** Location of a model's embedding, as data for another thread, which then need not read the header. */
export interface EmbeddingPlace {
  readonly path: string;
  /** Byte offset of the first row. */
  readonly position: number;
  /** Name of the file's type. */
  readonly type: string;
}

/** Reads rows of the embedding from the file when they are asked for: the page cache holds them, not the heap. */
export class EmbeddingRows {
  private readonly type: TensorType;
  private readonly row: Buffer;
  private readonly parts;

  private constructor(
    private readonly file: FileHandle,
    private readonly place: EmbeddingPlace,
    private readonly config: DecoderShape,
    private readonly form: WeightForm,
  ) {
    this.type = tensorTypeNamed(place.type);
    const { packNumbers, packBytes } = this.type;
    this.row = Buffer.alloc((config.hiddenSize / packNumbers) * packBytes);
    this.parts = emptyTensor({ type: this.type, shape: [config.hiddenSize] });
  }

  /** @param form in which the weights of the model are held */
  static async open(place: EmbeddingPlace, config: DecoderShape, form: WeightForm): Promise<EmbeddingRows> {
    return new EmbeddingRows(await open(place.path, 'r'), place, config, form);
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
      widenRow(this.type, this.row, this.parts, target.subarray(index * hiddenSize, (index + 1) * hiddenSize));
    }
    return this.rounded({ shape: [ids.length, hiddenSize], data: target });
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** What the numbers are when the whole matrix is held in the form: blocks lie within rows. */
  private rounded(rows: FloatTensor): Float32Array {
    const { tiedHead } = this.config;
    const { blocks } = this.type;
    if (blocks !== null && isKept(blocks.bits, this.form, tiedHead)) return rows.data;
    return toFloats(inForm(rows, this.form, tiedHead)).data;
  }

  private readRow(id: number): void {
    const { path, position } = this.place;
    if (!(Number.isInteger(id) && id >= 0 && id < this.config.vocabSize))
      throw new RangeError(`There is no token ${id}.`);
    const from = position + id * this.row.length;
    for (let done = 0; done < this.row.length;) {
      const bytes = readSync(this.file.fd, this.row, done, this.row.length - done, from + done);
      if (bytes === 0) throw new BaseModelDamagedError(path, `it ends at byte ${from + done}`);
      done += bytes;
    }
  }
}

/**
 * Finds the embedding of a model folder, in `model.gguf` in any of its types or in safetensors.
 *
 * @throws as `loadWeights` does for this tensor
 */
export async function locateEmbedding(
  directory: string,
  { vocabSize, hiddenSize }: DecoderShape,
): Promise<EmbeddingPlace> {
  const expected = [vocabSize, hiddenSize];
  for (const path of await listWeightFiles(directory)) {
    const found = path.endsWith(GGUF_FILE) ? await findInGguf(path) : await findInSafetensors(path);
    if (found === null) continue;
    const { shape, ...place } = found;
    if (shape.join() !== expected.join()) throw new TensorShapeError(path, EMBEDDING, expected, shape);
    return { path, ...place };
  }
  throw new TensorMissingError(directory, EMBEDDING, expected);
}

type Found = Omit<EmbeddingPlace, 'path'> & { readonly shape: readonly number[] };

async function findInGguf(path: string): Promise<Found | null> {
  const file = await GgufFile.open(path, false);
  const found = file.locate(ggufTensorName(EMBEDDING)!);
  await file.close();
  return found && { position: found.position, type: found.info.type.name, shape: found.info.shape };
}

async function findInSafetensors(path: string): Promise<Found | null> {
  const file = await asModelDamage(SafetensorsFile.open(path));
  const found = file.locate(EMBEDDING);
  await file.close();
  if (found === null) return null;
  const { position, dtype, shape } = found;
  if (!isFloatFormat(dtype)) throw new TensorTypeError(path, EMBEDDING, dtype);
  return { position, type: dtype, shape };
}
