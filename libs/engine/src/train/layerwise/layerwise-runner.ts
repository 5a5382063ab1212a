import { Tensor } from 'onnxruntime-node';

import type { StoredWeights } from '../../blocks/index.js';
import { type Feeds, MicroBatchFeeds } from '../micro-batch-feeds.js';
import { type MicroBatch, planMicroBatches } from '../micro-batches.js';
import type { RunnerStep, StepRunner } from '../step-runner.js';
import { floats, scalar, splitTokens, vector } from '../tensors.js';
import type { TrainGraphSettings } from '../train-graph.js';
import type { RankedTokenScores, TokenScores, TrainSequence } from '../train-sequence.js';
import type { TrainState } from '../train-state.js';
import { FrozenWeights } from './frozen-weights.js';
import { LayerStack } from './layer-stack.js';
import { LayeredUpdate } from './layered-update.js';
import { LayerwiseGraphs } from './layerwise-graphs.js';
import type { LayerwisePlan } from './layerwise-plan.js';
import { OutputHead } from './output-head.js';
import { Scratch } from './scratch.js';

/**
 * Trains adapters layer by layer, each layer a run of the same small graphs. A frozen matrix is float32 only during the
 * run that multiplies with it, the logits only of some rows, and of the activations what the plan saves: the rest is
 * computed again. Sources: Dettmers et al., "QLoRA" (2023); Chen et al., "Training Deep Nets with Sublinear Memory
 * Cost" (2016).
 */
export class LayerwiseRunner implements StepRunner {
  private readonly graphs: LayerwiseGraphs;
  private readonly feeds: MicroBatchFeeds;
  private readonly layers: LayerStack;
  private readonly head: OutputHead;
  private readonly update: LayeredUpdate;
  private readonly scratch = new Scratch();

  constructor(
    private readonly settings: TrainGraphSettings,
    weights: StoredWeights,
    threads: number,
    private readonly plan: LayerwisePlan,
  ) {
    const { config, part, loss } = settings;
    const frozen = new FrozenWeights(config, weights, plan.vocabulary);
    this.graphs = new LayerwiseGraphs(settings, threads);
    this.feeds = new MicroBatchFeeds(config, loss);
    this.layers = new LayerStack({ config, part, plan }, this.graphs, frozen, this.scratch);
    this.head = new OutputHead(config, this.graphs, frozen, this.scratch, plan);
    this.update = new LayeredUpdate(settings, this.graphs, this.scratch);
  }

  async prepare(rows: readonly (readonly unknown[])[]): Promise<void> {
    if (rows.length > 0)
      await this.graphs.open([...this.layers.graphs, 'head slope', 'head norm', 'loss', 'norm', 'update']);
  }

  async score(parameters: Float32Array, row: readonly TrainSequence[]): Promise<RankedTokenScores[]> {
    const scores: RankedTokenScores[] = [];
    for (const batch of this.batches(row)) {
      const feeds = this.feeds.feed(row, batch, 'score');
      const last = await this.layers.forward(feeds, parameters, 'forward');
      const results = await this.head.run('score', last, integers(feeds, 'wanted'), integers(feeds, 'targets'));
      splitTokens(row, batch, results, (index, part) => {
        scores[index] = { lp: part('lp'), entropy: part('entropy'), best: part('best') };
      });
    }
    return scores;
  }

  async step(state: TrainState, row: readonly TrainSequence[], learningRate: number): Promise<RunnerStep> {
    const scores: TokenScores[] = [];
    const gradient = this.scratch.take('gradient', state.parameters.length).fill(0);
    let loss = 0;
    for (const batch of this.batches(row)) {
      const results = await this.accumulate(state.parameters, row, batch, gradient);
      loss += scalar(results, 'loss');
      splitTokens(row, batch, results, (index, part) => {
        scores[index] = { lp: part('lp'), entropy: part('entropy') };
      });
    }
    const updated = await this.update.run(state, gradient, learningRate);
    return { loss, scores, ...updated };
  }

  release(): Promise<void> {
    return this.graphs.release();
  }

  private batches(row: readonly TrainSequence[]): MicroBatch[] {
    return planMicroBatches(row, this.settings.config, this.plan.maxTokens);
  }

  /** Forward and backward pass of one micro-batch; adds to `gradient`. */
  private async accumulate(
    parameters: Float32Array,
    row: readonly TrainSequence[],
    batch: MicroBatch,
    gradient: Float32Array,
  ): Promise<Feeds> {
    const feeds = this.feeds.feed(row, batch, 'loss');
    const wanted = integers(feeds, 'wanted');
    const last = await this.layers.forward(feeds, parameters, 'train');
    const scores = await this.head.run('slope', last, wanted, integers(feeds, 'targets'));
    const lp = floats(scores, 'lp');
    const outcome = await this.graphs.run('loss', { ...feeds, lp: vector(lp) }, { loss: null, lpGradient: null });
    const ofLast = this.scratch.take('gradient 0', last.length);
    scatterScaled(floats(scores, 'slope'), floats(outcome, 'lpGradient'), wanted, ofLast);
    await this.layers.backward(feeds, parameters, ofLast, gradient);
    return { ...scores, loss: outcome['loss'] as Tensor };
  }
}

const integers = (feeds: Feeds, name: string) => feeds[name]?.data as BigInt64Array;

/** Row `rows[n]` of `target` becomes `factors[n]` times row n of `table`; the other rows become zero. */
function scatterScaled(table: Float32Array, factors: Float32Array, rows: BigInt64Array, target: Float32Array): void {
  target.fill(0);
  const width = table.length / rows.length;
  rows.forEach((row, at) => {
    const start = Number(row) * width;
    const factor = factors[at] as number;
    for (let column = 0; column < width; column += 1) {
      target[start + column] = factor * (table[at * width + column] as number);
    }
  });
}
