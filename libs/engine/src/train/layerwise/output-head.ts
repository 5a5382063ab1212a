import { Tensor } from 'onnxruntime-node';

import type { LlamaConfig } from '../../model/config/llama-config.js';
import type { Feeds } from '../micro-batch-feeds.js';
import { floats, vector } from '../tensors.js';
import type { FrozenWeights } from './frozen-weights.js';
import { type HeadPart, HeadSums } from './head-sums.js';
import type { LayerwiseGraphs } from './layerwise-graphs.js';
import type { LayerwisePlan } from './layerwise-plan.js';
import type { Scratch } from './scratch.js';

/** Per-token outputs of the head, `[predictions]` each; `slope` `[predictions, hiddenSize]` only if it was asked for. */
export type HeadResults = Feeds;

/**
 * Final norm, logits and log-probabilities, for a bounded number of rows and of tokens of the vocabulary at a time: the
 * head's matrix is never there as a whole. A row's log-probability depends on that row alone, so its derivative by the
 * row is all that the backward pass of any loss needs.
 */
export class OutputHead {
  constructor(
    private readonly config: LlamaConfig,
    private readonly graphs: LayerwiseGraphs,
    private readonly frozen: FrozenWeights,
    private readonly scratch: Scratch,
    private readonly plan: Pick<LayerwisePlan, 'predictions' | 'vocabulary'>,
  ) {}

  /**
   * @param hidden the last layer's result, `[tokens, hiddenSize]`
   * @param wanted the rows of it that predict
   * @param targets the token that each of them is to predict
   */
  async run(
    stage: 'score' | 'slope',
    hidden: Float32Array,
    wanted: BigInt64Array,
    targets: BigInt64Array,
  ): Promise<HeadResults> {
    const { hiddenSize, vocabSize } = this.config;
    const rows = this.scratch.take('head rows', wanted.length * hiddenSize);
    gatherRows(hidden, wanted, hiddenSize, rows);
    const seed = stage === 'score' ? null : this.scratch.take('head seed', rows.length);
    const sums = new HeadSums(wanted.length, seed);
    for (let from = 0; from < vocabSize; from += this.plan.vocabulary) {
      await this.addPart(stage, sums, rows, targets, from, Math.min(vocabSize, from + this.plan.vocabulary));
    }
    const { lp, entropy, best } = sums.results();
    if (seed === null) return { lp: vector(lp), entropy: vector(entropy), best: vector(best) };
    this.subtractFromTargets(seed, targets, sums.targetLogit);
    return { lp: vector(lp), entropy: vector(entropy), slope: vector(await this.throughNorm(rows, seed)) };
  }

  /** Of the tokens from `from` to `to`. */
  private async addPart(
    stage: 'score' | 'slope',
    sums: HeadSums,
    rows: Float32Array,
    targets: BigInt64Array,
    from: number,
    to: number,
  ): Promise<void> {
    const { hiddenSize } = this.config;
    const head = this.frozen.ofHead(from, to);
    const isHere = (row: number) => targets[row]! >= from && targets[row]! < to;
    for (let first = 0; first < targets.length; first += this.plan.predictions) {
      const count = Math.min(this.plan.predictions, targets.length - first);
      const inPart = BigInt64Array.from({ length: count }, (_, at) =>
        isHere(first + at) ? targets[first + at]! - BigInt(from) : 0n,
      );
      const results = await this.graphs.run(
        `head ${stage}`,
        { ...head, hidden: rowsOf(rows, first, count, hiddenSize), targets: new Tensor('int64', inPart, [count]) },
        { logit: null, lp: null, entropy: null, ...this.largeResult(stage, count) },
      );
      const part = Object.fromEntries(Object.keys(results).map((name) => [name, floats(results, name)]));
      sums.add(part as unknown as HeadPart, first, isHere);
    }
  }

  private largeResult(stage: 'score' | 'slope', count: number): Record<string, Tensor | null> {
    if (stage === 'score') return { best: null };
    const { hiddenSize } = this.config;
    return { expected: rowsOf(this.scratch.take('head expected', count * hiddenSize), 0, count, hiddenSize) };
  }

  /** By logits the derivative is onehot(target) - p, so by the norm's result it is W[target] - p W. */
  private subtractFromTargets(expected: Float32Array, targets: BigInt64Array, logits: Float32Array): void {
    const { hiddenSize, logitCap } = this.config;
    const ofTarget = this.scratch.take('head row', hiddenSize);
    targets.forEach((target, row) => {
      this.frozen.headRow(Number(target), ofTarget);
      const factor = logitCap === undefined ? 1 : 1 - (logits[row]! / logitCap) ** 2;
      for (let column = 0, at = row * hiddenSize; column < hiddenSize; column++, at++) {
        expected[at] = factor * ofTarget[column]! - expected[at]!;
      }
    });
  }

  private async throughNorm(rows: Float32Array, seed: Float32Array): Promise<Float32Array> {
    const { hiddenSize } = this.config;
    const slope = this.scratch.take('slope', rows.length);
    const count = rows.length / hiddenSize;
    await this.graphs.run(
      'head norm',
      {
        ...this.frozen.finalNorm(),
        hidden: rowsOf(rows, 0, count, hiddenSize),
        seed: rowsOf(seed, 0, count, hiddenSize),
      },
      { slope: rowsOf(slope, 0, count, hiddenSize) },
    );
    return slope;
  }
}

const rowsOf = (table: Float32Array, first: number, count: number, width: number) =>
  new Tensor('float32', table.subarray(first * width, (first + count) * width), [count, width]);

/** Rows `indices` of `[tokens, width]`, one after the other into `target`. */
function gatherRows(table: Float32Array, indices: BigInt64Array, width: number, target: Float32Array): void {
  indices.forEach((index, at) => {
    const row = Number(index) * width;
    target.set(table.subarray(row, row + width), at * width);
  });
}
