import type { Dim, Graph, Value } from '../../graph/index.js';
import * as ops from '../../graph/index.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import type { PassMatrices } from './decoder-body.js';
import { layerInput } from './decoder-tensors.js';
import { biasedColumns } from './fused-ops.js';

/** Feeds the matrices as inputs of the graph: another checkpoint needs other tensors, not another session. */
export class InputMatrices implements PassMatrices {
  /** @param ids int64 `[tokens]` */
  constructor(
    private readonly graph: Graph,
    private readonly config: LlamaConfig,
    private readonly ids: Value,
  ) {}

  embed(): Value {
    return ops.gatherRows(this.graph, this.embedding(), this.ids);
  }

  /** One product with all matrices of the part. */
  project(layer: number, part: string, value: Value, widths: readonly number[], bias: Value | null): readonly Value[] {
    const out = widths.reduce((sum, width) => sum + width, 0);
    const matrix = this.graph.input(layerInput(layer, part), 'float32', [out, value.shape.at(-1) as Dim]);
    return biasedColumns(this.graph, ops.matMul(this.graph, value, matrix, { transB: true }), widths, bias);
  }

  head(normed: Value): Value {
    const { vocabSize, hiddenSize, tiedHead } = this.config;
    const head = tiedHead ? this.embedding() : this.graph.input('head', 'float32', [vocabSize, hiddenSize]);
    return ops.matMul(this.graph, normed, head, { transB: true });
  }

  private embedding(): Value {
    const { vocabSize, hiddenSize } = this.config;
    return this.graph.once('embedding', () => this.graph.input('embedding', 'float32', [vocabSize, hiddenSize]));
  }
}
