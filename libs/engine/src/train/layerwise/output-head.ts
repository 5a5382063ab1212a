import { Tensor } from 'onnxruntime-node';

import type { LlamaConfig } from '../../model/llama-config.js';
import type { Feeds } from '../micro-batch-feeds.js';
import type { HeadStage } from './head-graph.js';
import type { FrozenWeights } from './frozen-weights.js';
import type { LayerwiseGraphs } from './layerwise-graphs.js';
import type { Scratch } from './scratch.js';

/** Per-token outputs of the head, `[predictions]` each; `slope` `[predictions, hiddenSize]` only if it was asked for. */
export type HeadResults = Feeds;

/** Final norm, logits and log-probabilities, for a bounded number of rows at a time. */
export class OutputHead {
  constructor(
    private readonly config: LlamaConfig,
    private readonly graphs: LayerwiseGraphs,
    private readonly frozen: FrozenWeights,
    private readonly scratch: Scratch,
    /** Rows of one run. */
    private readonly chunk: number,
  ) {}

  /**
   * @param hidden the last layer's result, `[tokens, hiddenSize]`
   * @param wanted the rows of it that predict
   * @param targets the token that each of them is to predict
   */
  async run(
    stage: HeadStage,
    hidden: Float32Array,
    wanted: BigInt64Array,
    targets: BigInt64Array,
  ): Promise<HeadResults> {
    const { hiddenSize } = this.config;
    const count = wanted.length;
    const width = stage === 'score' ? 1 : hiddenSize;
    const third = stage === 'score' ? 'best' : 'slope';
    const outputs = {
      lp: new Float32Array(count),
      entropy: new Float32Array(count),
      [third]: stage === 'score' ? new Float32Array(count) : this.scratch.take('slope', count * hiddenSize),
    };
    const weights = this.frozen.ofHead();
    for (let from = 0; from < count; from += this.chunk) {
      const to = Math.min(count, from + this.chunk);
      const rows = this.scratch.take('head rows', (to - from) * hiddenSize);
      gatherRows(hidden, wanted.subarray(from, to), hiddenSize, rows);
      const part = (name: string, size: number) =>
        new Tensor('float32', (outputs[name] as Float32Array).subarray(from * size, to * size), [
          to - from,
          ...(size === 1 ? [] : [size]),
        ]);
      await this.graphs.run(
        `head ${stage}`,
        {
          ...weights,
          hidden: new Tensor('float32', rows, [to - from, hiddenSize]),
          targets: new Tensor('int64', targets.slice(from, to), [to - from]),
        },
        { lp: part('lp', 1), entropy: part('entropy', 1), [third]: part(third, width) },
      );
    }
    return Object.fromEntries(
      Object.entries(outputs).map(([name, data]) => [name, new Tensor('float32', data, [data.length])]),
    );
  }
}

/** Rows `indices` of `[tokens, width]`, one after the other into `target`. */
function gatherRows(table: Float32Array, indices: BigInt64Array, width: number, target: Float32Array): void {
  indices.forEach((index, at) => {
    const row = Number(index) * width;
    target.set(table.subarray(row, row + width), at * width);
  });
}
