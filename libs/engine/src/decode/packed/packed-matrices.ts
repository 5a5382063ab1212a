import { type BlockMatrix, isBlockMatrix, type StoredTensor, type StoredWeights } from '../../blocks/index.js';
import * as ops from '../../graph/index.js';
import type { Dim, Graph, Value } from '../../graph/index.js';
import type { LlamaConfig } from '../../model/llama-config.js';
import type { FloatTensor } from '../../tensor.js';
import type { PassMatrices } from '../graph/decoder-body.js';
import type { ProductName } from '../graph/decoder-tensors.js';

import { adapterPlace, type AdapterPlace, sourcesOf } from './adapter-places.js';
import { type Half, toHalves } from './halves.js';
import { joinRows } from './join-rows.js';

/**
 * A base model's matrices as constants, which the runtime lays out once for its products, with low-rank adapters as
 * inputs beside them: any number of checkpoints share the constants, and rows of different ones a step.
 *
 * Inputs: `embedded` `[tokens, hiddenSize]`, the rows of the embedding, which are few and looked up elsewhere; `select`
 * `[tokens, ranks]`, where `ranks` are those of all adapters in use: `alpha / rank` of the adapter of the token, else 0;
 * the matrices of AdapterPlace, `[projections * ranks, in]` and `[ranks, out]`. No adapters: ranks are 0.
 */
export class PackedMatrices implements PassMatrices {
  private readonly select: Value;

  constructor(
    private readonly graph: Graph,
    private readonly config: LlamaConfig,
    private readonly weights: StoredWeights,
  ) {
    this.select = graph.input('select', 'float32', ['tokens', 'ranks']);
  }

  embed(): Value {
    return this.graph.input('embedded', 'float32', ['tokens', this.config.hiddenSize]);
  }

  project(layer: number, part: ProductName, value: Value): Value {
    const place = adapterPlace(layer, part);
    const matrices = sourcesOf(place).map((name) => this.stored(name));
    const products = joinRows(matrices).map((matrix) => this.product(value, matrix));
    return ops.add(this.graph, ops.concat(this.graph, products, 1), this.adapted(place, value, matrices));
  }

  head(normed: Value): Value {
    return this.product(normed, this.stored(this.config.tiedHead ? 'model.embed_tokens.weight' : 'lm_head.weight'));
  }

  private stored(name: string): StoredTensor {
    const found = this.weights.get(name);
    if (found === undefined) throw new Error(`The weights hold no ${name}.`);
    return found;
  }

  /** `x W^T`. */
  private product(value: Value, matrix: StoredTensor): Value {
    if (!isBlockMatrix(matrix)) return ops.matMul(this.graph, value, this.floats(matrix), { transB: true });
    const { halves, offsets } = toHalves(matrix);
    const product = halves
      .map((half) => this.halfProduct(value, matrix, half))
      .reduce((a, b) => ops.add(this.graph, a, b));
    if (offsets === null) return product;
    const { shape, blockSize } = matrix;
    const constant = this.graph.constant(offsets, [shape[0], shape[1] / blockSize]);
    return ops.add(
      this.graph,
      product,
      ops.matMul(this.graph, this.blockSums(value, matrix), constant, { transB: true }),
    );
  }

  private halfProduct(
    value: Value,
    { shape: [rows, columns], blockSize }: BlockMatrix,
    { codes, scales }: Half,
  ): Value {
    return ops.blockMatMul(this.graph, value, {
      ...{ rows, columns, blockSize },
      codes: this.graph.bytes(codes, [rows, columns / blockSize, blockSize / 2]),
      scales: this.graph.constant(scales, [(rows * columns) / blockSize]),
    });
  }

  private floats({ data, shape }: FloatTensor): Value {
    return this.graph.constant(data, shape);
  }

  /** What the offsets of blocks are multiplied by: the sum of the block's numbers, `[tokens, columns / blockSize]`. */
  private blockSums(value: Value, { shape, blockSize }: BlockMatrix): Value {
    return this.graph.once(`block sums of ${value.name} by ${blockSize}`, () => {
      const blocks = ops.reshape(this.graph, value, [value.shape[0] as Dim, shape[1] / blockSize, blockSize]);
      return ops.sum(this.graph, blocks, [2]);
    });
  }

  /** `scale (x A^T) B^T` of each token's own adapter, `[tokens, out]`. */
  private adapted({ projections, a, b }: AdapterPlace, value: Value, matrices: readonly StoredTensor[]): Value {
    const { graph } = this;
    const count = projections.length;
    const ranks = count === 1 ? 'ranks' : `${count}*ranks`;
    const stacked = graph.input(a, 'float32', [ranks, value.shape[1] as Dim]);
    const low = ops.matMul(graph, value, stacked, { transB: true });
    const chosen = ops.multiply(graph, low, { ...this.selectFor(count), shape: low.shape });
    const parts = count === 1 ? [chosen] : this.split(chosen, count);
    const wide = parts.map((part, index) => {
      const matrix = graph.input(b[index] as string, 'float32', ['ranks', matrices[index]?.shape[0] as number]);
      return ops.matMul(graph, part, matrix);
    });
    return ops.concat(graph, wide, 1);
  }

  private selectFor(count: number): Value {
    const repeated = Array.from({ length: count }, () => this.select);
    return this.graph.once(`select ${count}`, () => ops.concat(this.graph, repeated, 1));
  }

  private split(value: Value, count: number): readonly Value[] {
    const { graph } = this;
    const sizes = graph.once(`${count} times ranks`, () =>
      ops.concat(
        graph,
        Array.from({ length: count }, () => graph.size('ranks')),
        0,
      ),
    );
    const results = Array.from({ length: count }, () => ({ type: value.type, shape: ['tokens', 'ranks'] }));
    return graph.append('Split', [value, sizes], results, { attributes: { axis: 1 } });
  }
}
