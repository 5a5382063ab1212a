import { Tensor } from 'onnxruntime-node';

import {
  type BlockMatrix,
  DequantiseMemory,
  dequantiseRows,
  isBlockMatrix,
  type StoredTensor,
  type StoredWeights,
} from '../../blocks/index.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import { elements, tensorShapes } from '../../model/config/tensor-shapes.js';
import type { Feeds } from '../micro-batch-feeds.js';
import { EMBEDDING, FINAL_NORM, HEAD } from '../trained-parameters.js';
import { firstLayerOf } from './layer-graph.js';

const FIRST_LAYER = 'model.layers.0.';
const HEAD_SLOT = 'head';

/** The frozen weights as the graphs of one layer take them: those in blocks are float32 while they are used. */
export class FrozenWeights {
  private readonly layerNames: readonly string[];
  /** Elements of each matrix that is converted to float32 for a run. */
  private readonly slotSizes: ReadonlyMap<string, number>;
  private readonly slots = new Map<string, Float32Array>();
  private memory?: DequantiseMemory;

  /** @param headTokens rows of the output matrix that are asked for at a time, at most */
  constructor(
    private readonly config: LlamaConfig,
    private readonly weights: StoredWeights,
    headTokens: number,
  ) {
    const shapes = [...tensorShapes(firstLayerOf(config))].filter(([name]) => name.startsWith(FIRST_LAYER));
    this.layerNames = shapes.map(([name]) => name);
    this.slotSizes = new Map([
      ...shapes.map(([name, shape]) => [name, elements(shape)] as const),
      [HEAD_SLOT, headTokens * config.hiddenSize],
    ]);
  }

  /** Weights of a layer, under the names of layer 0. They are valid until the next layer's are taken. */
  ofLayer(layer: number): Feeds {
    return Object.fromEntries(
      this.layerNames.map((name) => [name, this.tensor(name.replace(FIRST_LAYER, `model.layers.${layer}.`), name)]),
    );
  }

  finalNorm(): Feeds {
    return { [FINAL_NORM]: this.tensor(FINAL_NORM, FINAL_NORM) };
  }

  /** Final norm, and of the output matrix the rows of these tokens, valid until other ones are taken. */
  ofHead(from: number, to: number): Feeds {
    const { hiddenSize } = this.config;
    const stored = this.headMatrix();
    const numbers = isBlockMatrix(stored)
      ? this.dequantised(stored, from, to, HEAD_SLOT)
      : stored.data.subarray(from * hiddenSize, to * hiddenSize);
    return { ...this.finalNorm(), head: new Tensor('float32', numbers, [to - from, hiddenSize]) };
  }

  /** The output matrix's row of a token, into `target`. */
  headRow(token: number, target: Float32Array): void {
    copyRow(this.headMatrix(), token, target);
  }

  /** Embeddings of tokens as the first layer takes them, `[ids, hiddenSize]`, into `target`. */
  embed(ids: BigInt64Array, target: Float32Array): void {
    const { hiddenSize, embeddingScale } = this.config;
    const table = this.stored(EMBEDDING);
    ids.forEach((id, at) => {
      copyRow(table, Number(id), target.subarray(at * hiddenSize, (at + 1) * hiddenSize));
    });
    if (embeddingScale !== undefined) scaleNumbers(target, embeddingScale);
  }

  private headMatrix(): StoredTensor {
    return this.stored(this.config.tiedHead ? EMBEDDING : HEAD);
  }

  private tensor(name: string, slot: string): Tensor {
    const stored = this.stored(name);
    if (!isBlockMatrix(stored)) return new Tensor('float32', stored.data, stored.shape);
    return new Tensor('float32', this.dequantised(stored, 0, stored.shape[0], slot), stored.shape);
  }

  /** Rows of a matrix as float32, valid until others are written to this slot. */
  private dequantised(matrix: BlockMatrix, from: number, to: number, slot: string): Float32Array {
    this.memory ??= new DequantiseMemory([...this.slotSizes.values()].reduce((sum, size) => sum + size, 0));
    const array = this.slots.get(slot) ?? this.memory.take(this.slotSizes.get(slot) as number);
    this.slots.set(slot, array);
    const numbers = array.subarray(0, (to - from) * matrix.shape[1]);
    this.memory.dequantiseRows(matrix, from, numbers);
    return numbers;
  }

  private stored(name: string): StoredTensor {
    const found = this.weights.get(name);
    if (found === undefined) throw new Error(`The base has no tensor ${name}.`);
    return found;
  }
}

/** One row of a matrix as float32; `target` has its length. */
function copyRow(table: StoredTensor, row: number, target: Float32Array): void {
  if (isBlockMatrix(table)) dequantiseRows(table, row, target);
  else target.set(table.data.subarray(row * target.length, (row + 1) * target.length));
}

function scaleNumbers(numbers: Float32Array, factor: number): void {
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = numbers[at]! * factor;
}
