import { type BlockMatrix, isBlockMatrix, type StoredTensor, type StoredWeights } from '../../blocks/index.js';
import type { Dim, Graph, Value } from '../../graph/index.js';
import * as ops from '../../graph/index.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import type { FloatTensor } from '../../tensor.js';
import type { ProjectionName } from '../../train/trained-parameters.js';
import type { PassMatrices } from '../graph/decoder-body.js';
import { type ProductName, PRODUCTS } from '../graph/decoder-tensors.js';
import { biasedColumns } from '../graph/fused-ops.js';
import {
  type AdapterPiece,
  adapterPlaces,
  RANKED,
  rankedAt,
  RANKS,
  ranksOf,
  selectOf,
  sourcesOf,
} from './adapter-places.js';
import { joinRows } from './join-rows.js';
import { toZeroCodes } from './zero-codes.js';

/**
 * A base model's matrices as constants, which the runtime lays out once for its products, with low-rank adapters as
 * inputs beside them: any number of checkpoints share the constants, and rows of different ones a step.
 *
 * Inputs: `embedded` `[tokens, hiddenSize]`, the rows of the embedding, which are few and looked up elsewhere; those of
 * {@link selectOf}, {@link RANKS} and of AdapterPlace. No adapters: ranks are 0.
 */
export class PackedMatrices implements PassMatrices {
  /** What each piece of the adapters' inputs is in the graph, see {@link nameOf}; empty until the first is asked for. */
  private readonly pieces = new Map<string, Value>();

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
    const products = matrices.map((matrix) => this.product(value, matrix, this.rounds(layer, part, matrix)));
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

  /**
   * What attention compares feels the rounding most, and in the first half of the layers three times as much as in the
   * second: with 4 bits it is not rounded there. It takes four times as long so.
   */
  private rounds(layer: number, part: ProductName, matrix: StoredTensor): boolean {
    const isSensitive = part === 'qkv' && 2 * layer < this.config.numLayers;
    return !isSensitive || (isBlockMatrix(matrix) && matrix.bits === 8);
  }

  /** `x W^T`. */
  private product(value: Value, matrix: StoredTensor, rounds = true): Value {
    if (!isBlockMatrix(matrix)) return ops.matMul(this.graph, value, this.floats(matrix), { transB: true });
    const { shape, bits, blockSize, codes, scales } = matrix;
    const [rows, columns] = shape;
    const blocks = columns / blockSize;
    const zeros = toZeroCodes(matrix);
    const operand = {
      rows,
      columns,
      bits,
      blockSize,
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
    const projections = PRODUCTS[part];
    const together = ranksOf(projections);
    const select = graph.once(`select ${part}`, () => graph.input(selectOf(part), 'float32', ['tokens', together]));
    const low = ops.matMul(graph, value, this.piece({ layer, factor: 'a', projections }), { transB: true });
    const chosen = this.perProjection(part, ops.multiply(graph, low, { ...select, shape: low.shape }));
    return products.map((product, at) => {
      const wide = this.piece({ layer, factor: 'b', projections: [projections[at] as ProjectionName] });
      return ops.addMatMul(graph, product, chosen[at] as Value, wide);
    });
  }

  private piece(piece: AdapterPiece): Value {
    if (this.pieces.size === 0) this.cutInputs();
    return this.pieces.get(nameOf(piece)) as Value;
  }

  /**
   * All, before the first layer: the runtime orders nodes from the outputs back, those that were appended last first, and
   * so makes the copies of an input when the first of its layers wants them. Appended layer by layer, many were made at
   * the beginning of a run, and kept until then.
   */
  private cutInputs(): void {
    const { graph } = this;
    for (const { input, width, pieces } of adapterPlaces(this.config)) {
      const whole = graph.input(input, 'float32', [`ranks of ${input}`, width]);
      const results = pieces.map(({ projections }) => ({ type: whole.type, shape: [ranksOf(projections), width] }));
      const sizes = this.ranks(pieces.map(({ projections }) => projections));
      const cut = graph.append('Split', [whole, sizes], results, { attributes: { axis: 0 } });
      for (const [index, piece] of pieces.entries()) this.pieces.set(nameOf(piece), cut[index] as Value);
    }
  }

  /** Cuts `[tokens, ranks of all projections]` by projection. */
  private perProjection(part: ProductName, chosen: Value): readonly Value[] {
    const projections = PRODUCTS[part].map((projection) => [projection]);
    if (projections.length === 1) return [chosen];
    const results = projections.map((one) => ({ type: chosen.type, shape: ['tokens', ranksOf(one)] }));
    return this.graph.append('Split', [chosen, this.ranks(projections)], results, { attributes: { axis: 1 } });
  }

  /** An int64 vector of the ranks of these projections. */
  private ranks(of: readonly (readonly ProjectionName[])[]): Value {
    const { graph } = this;
    const places = of.map(rankedAt);
    return graph.once(`ranks ${places.join()}`, () => {
      const all = graph.once('ranks', () => graph.input(RANKS, 'int64', [RANKED.length]));
      return ops.gatherRows(graph, all, graph.integers(places));
    });
  }
}

const nameOf = ({ layer, factor, projections }: AdapterPiece): string => `${layer} ${factor} ${projections.join()}`;
