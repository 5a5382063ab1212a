import { type BlockMatrix, isBlockMatrix, type StoredTensor, type StoredWeights } from '../../blocks/index.js';
import * as ops from '../../graph/index.js';
import type { Dim, Graph, Value } from '../../graph/index.js';
import type { LlamaConfig } from '../../model/llama-config.js';
import type { FloatTensor } from '../../tensor.js';
import type { PassMatrices } from '../graph/decoder-body.js';
import type { ProductName } from '../graph/decoder-tensors.js';
import { biasedColumns } from '../graph/fused-ops.js';

import { adapterPlace, type AdapterPlace, ranksOf, selectOf, sourcesOf } from './adapter-places.js';
import { joinRows } from './join-rows.js';
import { toZeroCodes } from './zero-codes.js';

/**
 * A base model's matrices as constants, which the runtime lays out once for its products, with low-rank adapters as
 * inputs beside them: any number of checkpoints share the constants, and rows of different ones a step.
 *
 * Inputs: `embedded` `[tokens, hiddenSize]`, the rows of the embedding, which are few and looked up elsewhere; those of
 * {@link selectOf} and of AdapterPlace. No adapters: ranks are 0.
 */
export class PackedMatrices implements PassMatrices {
  /** Inputs of adapters, layer by layer. */
  private readonly cuts = new Map<string, readonly Value[]>();

  constructor(
    private readonly graph: Graph,
    private readonly config: LlamaConfig,
    private readonly weights: StoredWeights,
  ) {}

  embed(): Value {
    return this.graph.input('embedded', 'float32', ['tokens', this.config.hiddenSize]);
  }

  project(
    layer: number,
    part: ProductName,
    value: Value,
    widths: readonly number[],
    bias: Value | null,
  ): readonly Value[] {
    const matrices = joinRows(sourcesOf(layer, part).map((name) => this.stored(name)));
    // What attention compares feels the rounding most, and is the smaller part: with 4 bits it is not rounded.
    const rounds = (matrix: StoredTensor) => part !== 'qkv' || (isBlockMatrix(matrix) && matrix.bits === 8);
    const products = matrices.map((matrix) => this.product(value, matrix, rounds(matrix)));
    const areApart = bias === null && products.length === widths.length;
    const apart = areApart ? products : biasedColumns(this.graph, ops.concat(this.graph, products, 1), widths, bias);
    return this.addAdapted(apart, part, layer, value);
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
  private product(value: Value, matrix: StoredTensor, rounds = true): Value {
    if (!isBlockMatrix(matrix)) return ops.matMul(this.graph, value, this.floats(matrix), { transB: true });
    const { shape, bits, blockSize, codes, scales } = matrix;
    const [rows, columns] = shape;
    const blocks = columns / blockSize;
    const zeros = toZeroCodes(matrix);
    const operand = {
      ...{ rows, columns, bits, blockSize },
      codes: this.graph.bytes(codes, [rows, blocks, (blockSize * bits) / 8]),
      scales: this.graph.constant(scales, [rows * blocks]),
      ...(zeros && { zeros: this.graph.bytes(zeros.codes, [zeros.codes.length]) }),
    };
    const product = ops.blockMatMul(this.graph, value, operand, { rounds });
    if (zeros === null) return product;
    const constant = this.graph.constant(zeros.rests, [rows, blocks]);
    return ops.addMatMul(this.graph, product, this.blockSums(value, matrix), constant, { transB: true });
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

  /** `product + scale (x A^T) B^T` of each token's own adapter, per projection `[tokens, out]`. */
  private addAdapted(products: readonly Value[], part: ProductName, layer: number, value: Value): readonly Value[] {
    const { graph } = this;
    const place = adapterPlace(this.config, part, layer);
    const ranks = place.projections.map(ranksOf);
    const together = ranks.join('+');
    const wide = products.map(({ shape }, at) =>
      this.ofLayer(place, layer, place.b[at] as string, [ranks[at] as string, shape[1] as number]),
    );
    const select = graph.once(`select ${part}`, () => graph.input(selectOf(part), 'float32', ['tokens', together]));
    const below = this.ofLayer(place, layer, place.a, [together, value.shape[1] as number]);
    const low = ops.matMul(graph, value, below, { transB: true });
    const chosen = this.perProjection(part, ops.multiply(graph, low, { ...select, shape: low.shape }), place);
    return products.map((product, at) => ops.addMatMul(graph, product, chosen[at] as Value, wide[at] as Value));
  }

  /** One layer's part of an input that several share. */
  private ofLayer({ layers }: AdapterPlace, layer: number, input: string, [ranks, width]: readonly [string, number]) {
    const cut = this.cuts.get(input) ?? this.cut(input, layers.length, [ranks, width]);
    this.cuts.set(input, cut);
    return cut[layer - (layers[0] as number)] as Value;
  }

  private cut(input: string, count: number, shape: readonly [string, number]): readonly Value[] {
    const { graph } = this;
    const [ranks, width] = shape;
    const whole = graph.input(input, 'float32', [ofLayers(count, ranks), width]);
    const sizes = graph.once(`sizes of ${count} ${ranks}`, () => ops.expand(graph, this.sizeOf(ranks, count), [count]));
    const results = Array.from({ length: count }, () => ({ type: whole.type, shape }));
    return graph.append('Split', [whole, sizes], results, { attributes: { axis: 0 } });
  }

  /** An int64 vector of one: how many ranks a layer has, of an input that `count` layers share. */
  private sizeOf(ranks: string, count: number): Value {
    const { graph } = this;
    return graph.once(`size of ${ranks}`, () =>
      graph.node('Div', [graph.size(ofLayers(count, ranks)), graph.integers([count])], 'int64', [1]),
    );
  }

  /** Cuts `[tokens, ranks of all projections]` by projection. */
  private perProjection(part: ProductName, chosen: Value, { layers, projections }: AdapterPlace): readonly Value[] {
    if (projections.length === 1) return [chosen];
    const { graph } = this;
    const ranks = projections.map(ranksOf);
    const sizes = graph.once(`ranks of ${part}`, () =>
      ops.concat(
        graph,
        ranks.map((rank) => this.sizeOf(rank, layers.length)),
        0,
      ),
    );
    const results = ranks.map((rank) => ({ type: chosen.type, shape: ['tokens', rank] }));
    return graph.append('Split', [chosen, sizes], results, { attributes: { axis: 1 } });
  }
}

/** Name of the dimension: the ranks of as many layers. */
const ofLayers = (count: number, ranks: string): string => `${count} ${ranks}`;
