import { type InferenceSession, Tensor } from 'onnxruntime-node';

import { type StoredWeights, toFloats } from '../blocks/index.js';
import { tensorShapes } from '../model/config/tensor-shapes.js';
import { joinFeeds } from '../runtime/join-feeds.js';
import { openSession } from '../runtime/session.js';
import { type Feeds, MicroBatchFeeds } from './micro-batch-feeds.js';
import { type MicroBatch, planMicroBatches } from './micro-batches.js';
import type { RunnerStep, StepRunner } from './step-runner.js';
import { floats, scalar, splitTokens, updatedState, updateFeeds, vector } from './tensors.js';
import { buildTrainGraph, type TrainGraphSettings, type TrainStage } from './train-graph.js';
import type { RankedTokenScores, TokenScores, TrainSequence } from './train-sequence.js';
import type { TrainState } from './train-state.js';
import { trainedLayout } from './trained-parameters.js';

/**
 * Forward pass, backward pass and update of the whole model in one graph: the fewest runs, and everything in memory at
 * once.
 */
export class WholeGraphRunner implements StepRunner {
  private readonly sessions = new Map<TrainStage, Promise<InferenceSession>>();
  private readonly feeds: MicroBatchFeeds;
  private readonly frozen: Feeds;

  /** @param weights of the base model; those that are trained themselves are not read */
  constructor(
    private readonly settings: TrainGraphSettings,
    weights: StoredWeights,
    private readonly threads: number,
  ) {
    this.feeds = new MicroBatchFeeds(settings.config, settings.loss);
    const trained = new Set(trainedLayout(settings.config, settings.part).slots.map((slot) => slot.name));
    this.frozen = Object.fromEntries(
      [...tensorShapes(settings.config)].flatMap(([name, shape]) => {
        const tensor = trained.has(name) ? undefined : weights.get(name);
        return tensor === undefined ? [] : [[name, new Tensor('float32', toFloats(tensor).data, shape)]];
      }),
    );
  }

  async prepare(rows: readonly (readonly Pick<TrainSequence, 'ids'>[])[]): Promise<void> {
    const passes = rows.map((row) => planMicroBatches(row, this.settings.config).length);
    if (passes.some((count) => count > 1)) await this.session('accumulate');
    if (passes.some((count) => count > 0)) await this.session('update');
  }

  async score(parameters: Float32Array, row: readonly TrainSequence[]): Promise<RankedTokenScores[]> {
    const scores: RankedTokenScores[] = [];
    for (const batch of planMicroBatches(row, this.settings.config)) {
      const results = await this.run('score', row, batch, parameters, {});
      splitTokens(row, batch, results, (index, part) => {
        scores[index] = { lp: part('lp'), entropy: part('entropy'), best: part('best') };
      });
    }
    return scores;
  }

  async step(state: TrainState, row: readonly TrainSequence[], learningRate: number): Promise<RunnerStep> {
    const batches = planMicroBatches(row, this.settings.config);
    const last = batches.pop();
    if (last === undefined) throw new Error('A row has at least one sequence.');
    const { parameters } = state;
    const scores: TokenScores[] = [];
    const keepScores = (batch: MicroBatch, results: Feeds) =>
      splitTokens(row, batch, results, (index, part) => {
        scores[index] = { lp: part('lp'), entropy: part('entropy') };
      });
    let loss = 0;
    let gradient = new Float32Array(parameters.length);
    for (const batch of batches) {
      const results = await this.run('accumulate', row, batch, parameters, { gradientSoFar: vector(gradient) });
      keepScores(batch, results);
      loss += scalar(results, 'loss');
      gradient = floats(results, 'gradient');
    }
    const feeds = { gradientSoFar: vector(gradient), ...updateFeeds(this.settings.optimiser, state, learningRate) };
    const results = await this.run('update', row, last, parameters, feeds);
    keepScores(last, results);
    loss += scalar(results, 'loss');
    return { loss, gradientNorm: scalar(results, 'gradientNorm'), scores, state: updatedState(results, state) };
  }

  async release(): Promise<void> {
    const sessions = await Promise.all(this.sessions.values());
    await Promise.all(sessions.map((session) => session.release()));
  }

  private async run(
    stage: TrainStage,
    row: readonly TrainSequence[],
    batch: MicroBatch,
    parameters: Float32Array,
    more: Feeds,
  ): Promise<Feeds> {
    const session = await this.session(stage);
    const inputs = this.feeds.feed(row, batch, stage === 'score' ? 'score' : 'loss');
    return (await session.run(joinFeeds(this.frozen, inputs, more, { parameters: vector(parameters) }))) as Feeds;
  }

  private session(stage: TrainStage): Promise<InferenceSession> {
    let session = this.sessions.get(stage);
    if (session === undefined) {
      session = openSession(buildTrainGraph(this.settings, stage), this.threads, { areMany: true });
      this.sessions.set(stage, session);
    }
    return session;
  }
}
