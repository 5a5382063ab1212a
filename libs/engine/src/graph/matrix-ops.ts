import type { Graph } from './graph.js';
import { type Dim, GraphShapeError, type Value } from './value.js';

interface MatMulOptions {
  /** Take the first operand's last two dimensions swapped. */
  readonly transA?: boolean;
  readonly transB?: boolean;
  /** The product is multiplied by this. */
  readonly alpha?: number;
}

/**
 * `alpha * op(a) op(b)` over the last two dimensions; leading ones are equal in both.
 * Transposing inside the product costs nothing: the kernel packs its operands anyway.
 */
export function matMul(graph: Graph, a: Value, b: Value, options: MatMulOptions = {}): Value {
  const { transA = false, transB = false, alpha = 1 } = options;
  const [rows, innerA] = lastTwo(a.shape, transA);
  const [innerB, columns] = lastTwo(b.shape, transB);
  const batch = a.shape.slice(0, -2);
  if (innerA !== innerB || batch.join() !== b.shape.slice(0, -2).join()) {
    throw new GraphShapeError('FusedMatMul', a.shape, b.shape);
  }
  return graph.node('FusedMatMul', [a, b], 'float32', [...batch, rows, columns], {
    domain: 'com.microsoft',
    attributes: { transA: Number(transA), transB: Number(transB), alpha: { float: alpha } },
  });
}

function lastTwo(shape: readonly Dim[], swapped: boolean): [Dim, Dim] {
  const [rows, columns] = shape.slice(-2);
  if (rows === undefined || columns === undefined) throw new GraphShapeError('FusedMatMul', shape);
  return swapped ? [columns, rows] : [rows, columns];
}

/** A matrix `[rows, columns]` of the graph in blocks of 4-bit numbers: `(code - 8) * scale` of the block. */
export interface BlockOperand {
  /** uint8 `[rows, columns / blockSize, blockSize / 2]`. */
  readonly codes: Value;
  /** `[rows * columns / blockSize]`. */
  readonly scales: Value;
  readonly rows: number;
  readonly columns: number;
  readonly blockSize: number;
}

/**
 * `value W^T` with a matrix in blocks. The numbers of `value` are not rounded, unlike with ONNX Runtime's
 * `accuracy_level` 4: with 4 bits that was no faster, and turned near ties of the next token.
 *
 * @param value `[tokens, columns]`
 */
export function blockMatMul(
  graph: Graph,
  value: Value,
  { codes, scales, rows, columns, blockSize }: BlockOperand,
): Value {
  if (value.shape.at(-1) !== columns) throw new GraphShapeError('MatMulNBits', value.shape, [rows, columns]);
  return graph.node('MatMulNBits', [value, codes, scales], 'float32', [...value.shape.slice(0, -1), rows], {
    domain: 'com.microsoft',
    attributes: {
      K: columns,
      N: rows,
      bits: 4,
      block_size: blockSize,
    },
  });
}

interface Adapter {
  /** `[rank, columns]`. */
  readonly a: Value;
  /** `[rows, rank]`. */
  readonly b: Value;
  readonly scale: number;
}

/**
 * `x (W + scale b a)^T`: a product with a matrix and its low-rank adapter. The sum of both is made once, so that the
 * pass over the tokens is one product in each direction; gradients reach `a` and `b` alone, without ever making that
 * of the whole matrix.
 *
 * @param weight `[rows, columns]`
 */
export function adaptedMatMul(graph: Graph, x: Value, weight: Value, { a, b, scale }: Adapter): Value {
  const product = matMul(graph, b, a, { alpha: scale });
  const merged = graph.node('Add', [weight, product], 'float32', weight.shape);
  const shape = [x.shape[0] as Dim, weight.shape[0] as Dim];
  if (x.shape[1] !== weight.shape[1] || product.shape.join() !== weight.shape.join()) {
    throw new GraphShapeError('AdaptedMatMul', x.shape, weight.shape, a.shape, b.shape);
  }
  // To the runtime it is a product of the first two; the adapter is there for the gradient.
  return graph.node('AdaptedMatMul', [x, merged, a, b], 'float32', shape, {
    domain: 'com.microsoft',
    attributes: { transA: 0, transB: 1, alpha: { float: 1 }, adapterScale: { float: scale } },
  });
}
