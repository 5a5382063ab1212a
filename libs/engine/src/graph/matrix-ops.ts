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

/** `sum + alpha * a op(b)` of matrices, in one pass: `sum` `[rows, columns]`, `a` `[rows, inner]`. */
export function addMatMul(
  graph: Graph,
  sum: Value,
  a: Value,
  b: Value,
  { transB = false, alpha = 1 }: Omit<MatMulOptions, 'transA'> = {},
): Value {
  const [inner, columns] = lastTwo(b.shape, transB);
  const isFitting = a.shape[1] === inner && sum.shape.join() === [a.shape[0], columns].join();
  if (!isFitting) throw new GraphShapeError('Gemm', sum.shape, a.shape, b.shape);
  return graph.node('Gemm', [a, b, sum], 'float32', sum.shape, {
    attributes: { transA: 0, transB: Number(transB), alpha: { float: alpha } },
  });
}

function lastTwo(shape: readonly Dim[], swapped: boolean): [Dim, Dim] {
  const [rows, columns] = shape.slice(-2);
  if (rows === undefined || columns === undefined) throw new GraphShapeError('FusedMatMul', shape);
  return swapped ? [columns, rows] : [rows, columns];
}

/** A matrix `[rows, columns]` of the graph in blocks of numbers of few bits: `(code - zero) * scale` of the block. */
export interface BlockOperand {
  /** uint8 `[rows, columns / blockSize, blockSize * bits / 8]`. */
  readonly codes: Value;
  /** `[rows * columns / blockSize]`. */
  readonly scales: Value;
  readonly rows: number;
  readonly columns: number;
  readonly bits: 4 | 8;
  /** uint8 `[rows * columns / blockSize * bits / 8]`, rows rounded up to bytes; none: 8 of 4 bits, and 128 of 8. */
  readonly zeros?: Value;
  readonly blockSize: number;
}

/** Of ONNX Runtime: the other operand is rounded to 8 bits, block by block. */
const ROUND_TO_8_BITS = 4;

/**
 * `value W^T` with a matrix in blocks. Rounded, the numbers of `value` have 8 bits by the largest of each block, as in
 * llama.cpp: a single row is three times as fast as with numbers that are not rounded, for which 8 bits have no fast
 * product at all.
 *
 * @param value `[tokens, columns]`
 */
export function blockMatMul(
  graph: Graph,
  value: Value,
  { codes, scales, zeros, rows, columns, bits, blockSize }: BlockOperand,
  { rounds }: { readonly rounds: boolean },
): Value {
  if (value.shape.at(-1) !== columns) throw new GraphShapeError('MatMulNBits', value.shape, [rows, columns]);
  const inputs = zeros === undefined ? [value, codes, scales] : [value, codes, scales, zeros];
  return graph.node('MatMulNBits', inputs, 'float32', [...value.shape.slice(0, -1), rows], {
    domain: 'com.microsoft',
    attributes: {
      K: columns,
      N: rows,
      bits,
      block_size: blockSize,
      ...(rounds && { accuracy_level: ROUND_TO_8_BITS }),
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

/**
 * `x W^T + scale (x a^T) b^T`: the same numbers without a copy of the matrix, which costs as much as the product of a
 * hundred tokens.
 *
 * @param weight `[rows, columns]`
 */
export function matMulBesideAdapter(graph: Graph, x: Value, weight: Value, { a, b, scale }: Adapter): Value {
  const product = matMul(graph, x, weight, { transB: true });
  return addMatMul(graph, product, matMul(graph, x, a, { transB: true }), b, { transB: true, alpha: scale });
}
