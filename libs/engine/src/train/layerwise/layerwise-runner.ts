import type { StoredWeights } from '../../blocks/index.js';
import { type Feeds, MicroBatchFeeds } from '../micro-batch-feeds.js';
import { type MicroBatch, planMicroBatches, planWholeGroups } from '../micro-batches.js';
import type { RunnerStep, StepRunner } from '../step-runner.js';
import { floats, scalar, splitTokens, vector } from '../tensors.js';
import type { TrainGraphSettings } from '../train-graph.js';
import type { LateWeights, RankedTokenScores, TokenScores, TrainSequence } from '../train-sequence.js';
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

  step(state: TrainState, row: readonly TrainSequence[], learningRate: number): Promise<RunnerStep> {
    const lossOf = (batch: MicroBatch) => this.feeds.feedLoss(row, batch);
    return this.take(state, row, this.batches(row), lossOf, learningRate);
  }

  stepWeighed(
    state: TrainState,
    row: readonly TrainSequence[],
    weights: LateWeights,
    learningRate: number,
  ): Promise<RunnerStep> | null {
    const { groups } = weights;
    const batches = groups && planWholeGroups(row, groups, this.settings.config, this.plan.maxTokens);
    if (batches === null) return null;
    const weighed = [...row];
    const lossOf = (batch: MicroBatch, scores: readonly TokenScores[]) => {
      const found = weights.of(
        batch.members,
        batch.members.map((index) => scores[index] as TokenScores),
      );
      batch.members.forEach((index, at) => {
        const { trained, ...sequence } = row[index] as TrainSequence;
        weighed[index] = { ...sequence, trained, weight: found[at] ?? new Float32Array(trained.length) };
      });
      return this.feeds.feedLoss(weighed, batch);
    };
    return this.take(state, row, batches, lossOf, learningRate);
  }

  release(): Promise<void> {
    return this.graphs.release();
  }

  private batches(row: readonly TrainSequence[]): MicroBatch[] {
    return planMicroBatches(row, this.settings.config, this.plan.maxTokens);
  }

  /** @param lossOf what the loss of a micro-batch is fed; the scores of its members are known then */
  private async take(
    state: TrainState,
    row: readonly TrainSequence[],
    batches: readonly MicroBatch[],
    lossOf: (batch: MicroBatch, scores: readonly TokenScores[]) => Feeds,
    learningRate: number,
  ): Promise<RunnerStep> {
    const { parameters } = state;
    const scores: TokenScores[] = [];
    const gradient = this.scratch.take('gradient', parameters.length).fill(0);
    let loss = 0;
    for (const batch of batches) {
      const feeds = this.feeds.feed(row, batch, 'score');
      const last = await this.layers.forward(feeds, parameters, 'train');
      const found = await this.head.run('slope', last, integers(feeds, 'wanted'), integers(feeds, 'targets'));
      splitTokens(row, batch, found, (index, part) => {
        scores[index] = { lp: part('lp'), entropy: part('entropy') };
      });
      const lp = vector(floats(found, 'lp'));
      const outcome = await this.graphs.run('loss', { ...lossOf(batch, scores), lp }, { loss: null, lpGradient: null });
      loss += scalar(outcome, 'loss');
      const ofLast = this.scratch.take('gradient 0', last.length);
      scatterScaled(floats(found, 'slope'), floats(outcome, 'lpGradient'), integers(feeds, 'wanted'), ofLast);
      await this.layers.backward(feeds, parameters, ofLast, gradient);
    }
    return { loss, scores, ...(await this.update.run(state, gradient, learningRate)) };
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
