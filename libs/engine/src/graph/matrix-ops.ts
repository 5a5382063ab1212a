import type { Graph } from './graph.js';
import { type Dim, GraphShapeError, type Value } from './value.js';

export interface MatMulOptions {
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

/** `alpha * op(a) op(b) + c` for matrices; `c` has the shape of the result. */
export function gemm(graph: Graph, a: Value, b: Value, c: Value, options: MatMulOptions = {}): Value {
  const { transA = false, transB = false, alpha = 1 } = options;
  const [rows, innerA] = lastTwo(a.shape, transA);
  const [innerB, columns] = lastTwo(b.shape, transB);
  if (innerA !== innerB || c.shape.join() !== [rows, columns].join()) {
    throw new GraphShapeError('Gemm', a.shape, b.shape, c.shape);
  }
  return graph.node('Gemm', [a, b, c], 'float32', c.shape, {
    attributes: { transA: Number(transA), transB: Number(transB), alpha: { float: alpha }, beta: { float: 1 } },
  });
}
