import { type InferenceSession, Tensor } from 'onnxruntime-node';

import { areFinite, largestMagnitude } from '../finite.js';
import { tensorShapes } from '../model/tensor-shapes.js';
import { openSession } from '../runtime/session.js';
import type { Weights } from '../tensor.js';
import { type Feeds, MicroBatchFeeds } from './micro-batch-feeds.js';
import { type MicroBatch, planMicroBatches } from './micro-batches.js';
import { NonFiniteLossError, NonFiniteUpdateError } from './train.errors.js';
import { buildTrainGraph, type TrainGraphSettings, type TrainStage } from './train-graph.js';
import type { RankedTokenScores, TokenScores, TrainSequence } from './train-sequence.js';
import { trainedLayout } from './trained-parameters.js';

/** All that a run carries from step to step. The vectors follow the layout of the trained parameters. */
export interface TrainState {
  readonly parameters: Float32Array;
  readonly firstMoment: Float32Array;
  readonly secondMoment: Float32Array;
  /** Optimiser steps taken with these moments. */
  readonly updates: number;
}

export interface StepResult {
  /** Of the row, before the step. */
  readonly loss: number;
  /** Length of the gradient before clipping. */
  readonly gradientNorm: number;
  /** In the order of the row's sequences. */
  readonly scores: readonly TokenScores[];
}

/** Trained weights are far below; products of a layer with weights up to here stay far from the range of float32. */
const ORDINARY_MAGNITUDE = 1000;

/** Fresh moments for parameters that have none yet. */
export function freshState(parameters: Float32Array): TrainState {
  const zeros = () => new Float32Array(parameters.length);
  return { parameters, firstMoment: zeros(), secondMoment: zeros(), updates: 0 };
}

/**
 * Takes gradient steps on one model. Same state, rows, machine and thread count: same bytes.
 * A step that throws leaves the state as it was.
 */
export class Trainer {
  private readonly sessions = new Map<TrainStage, Promise<InferenceSession>>();
  private readonly feeds: MicroBatchFeeds;
  private readonly frozen: Feeds;

  /**
   * @param weights of the base model; those that are trained themselves are not read
   * @param state where to start from
   */
  constructor(
    private readonly settings: TrainGraphSettings,
    weights: Weights,
    private state: TrainState,
    private readonly threads: number,
  ) {
    this.feeds = new MicroBatchFeeds(settings.config, settings.loss);
    const trained = new Set(trainedLayout(settings.config, settings.part).slots.map((slot) => slot.name));
    this.frozen = Object.fromEntries(
      [...tensorShapes(settings.config)]
        .filter(([name]) => !trained.has(name))
        .map(([name, shape]) => [name, new Tensor('float32', weights.get(name)?.data as Float32Array, shape)]),
    );
  }

  get current(): TrainState {
    return this.state;
  }

  /** Opens the graphs for these rows, so that the steps only compute. */
  async prepare(rows: readonly (readonly Pick<TrainSequence, 'ids'>[])[]): Promise<void> {
    const passes = rows.map((row) => planMicroBatches(row, this.settings.config).length);
    if (passes.some((count) => count > 1)) await this.session('accumulate');
    if (passes.some((count) => count > 0)) await this.session('update');
  }

  /** Log-probabilities of the trained tokens under the current weights. */
  async score(row: readonly TrainSequence[]): Promise<RankedTokenScores[]> {
    const scores: RankedTokenScores[] = [];
    for (const batch of planMicroBatches(row, this.settings.config)) {
      const results = await this.run('score', row, batch, {});
      splitTokens(row, batch, results, (index, part) => {
        scores[index] = { lp: part('lp'), entropy: part('entropy'), best: part('best') };
      });
    }
    return scores;
  }

  /**
   * One optimiser step on a row, in as many passes as its size needs.
   *
   * @throws NonFiniteLossError the loss, the gradient or a value that the step leads to is not finite
   */
  async step(row: readonly TrainSequence[], learningRate: number): Promise<StepResult> {
    const batches = planMicroBatches(row, this.settings.config);
    const last = batches.pop();
    if (last === undefined) throw new Error('A row has at least one sequence.');
    const scores: TokenScores[] = [];
    const keepScores = (batch: MicroBatch, results: Feeds) =>
      splitTokens(row, batch, results, (index, part) => {
        scores[index] = { lp: part('lp'), entropy: part('entropy') };
      });
    let loss = 0;
    let gradient = new Float32Array(this.state.parameters.length);
    for (const batch of batches) {
      const results = await this.run('accumulate', row, batch, { gradientSoFar: vector(gradient) });
      keepScores(batch, results);
      loss += scalar(results, 'loss');
      gradient = floats(results, 'gradient');
    }
    const results = await this.run('update', row, last, this.updateFeeds(gradient, learningRate));
    keepScores(last, results);
    loss += scalar(results, 'loss');
    const gradientNorm = scalar(results, 'gradientNorm');
    if (!Number.isFinite(loss) || !Number.isFinite(gradientNorm)) throw new NonFiniteLossError(this.state.updates);
    this.state = this.finiteState(results);
    return { loss, gradientNorm, scores };
  }

  /**
   * Checks that the current weights give finite log-probabilities. Finite weights may be so large that products of
   * them are not; only then does the check cost a forward pass.
   *
   * @param probe any row of the run
   * @throws NonFiniteUpdateError
   */
  async assertUsable(probe: readonly TrainSequence[]): Promise<void> {
    if (largestMagnitude(this.state.parameters) <= ORDINARY_MAGNITUDE) return;
    const scores = await this.score(probe);
    if (scores.every(({ lp }) => areFinite(lp))) return;
    throw new NonFiniteUpdateError(this.state.updates - 1);
  }

  async release(): Promise<void> {
    const sessions = await Promise.all(this.sessions.values());
    await Promise.all(sessions.map((session) => session.release()));
  }

  /** The state after an update. A loss is that of the weights before it, so it does not show an overflow of these. */
  private finiteState(results: Feeds): TrainState {
    const state = {
      parameters: floats(results, 'newParameters'),
      firstMoment: floats(results, 'newFirstMoment'),
      secondMoment: floats(results, 'newSecondMoment'),
      updates: this.state.updates + 1,
    };
    if ([state.parameters, state.firstMoment, state.secondMoment].every(areFinite)) return state;
    throw new NonFiniteUpdateError(this.state.updates);
  }

  private updateFeeds(gradient: Float32Array, learningRate: number): Feeds {
    const { beta1, beta2 } = this.settings.optimiser;
    const updates = this.state.updates + 1;
    return {
      gradientSoFar: vector(gradient),
      firstMoment: vector(this.state.firstMoment),
      secondMoment: vector(this.state.secondMoment),
      learningRate: number(learningRate),
      correction1: number(1 - beta1 ** updates),
      correction2: number(1 - beta2 ** updates),
    };
  }

  private async run(stage: TrainStage, row: readonly TrainSequence[], batch: MicroBatch, more: Feeds): Promise<Feeds> {
    const session = await this.session(stage);
    const inputs = this.feeds.feed(row, batch, stage === 'score' ? 'score' : 'loss');
    const all: Feeds = { ...this.frozen, ...inputs, ...more, parameters: vector(this.state.parameters) };
    return (await session.run(all)) as Feeds;
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

const vector = (data: Float32Array) => new Tensor('float32', data, [data.length]);
const number = (value: number) => new Tensor('float32', Float32Array.of(value), []);
const floats = (results: Feeds, name: string) => results[name]?.data as Float32Array<ArrayBuffer>;
const scalar = (results: Feeds, name: string) => Number(results[name]?.data[0]);

type PartOf = (output: string) => Float32Array;

/** Calls `take` for each member of a batch with its index in the row and its part of each per-token output. */
function splitTokens(
  row: readonly TrainSequence[],
  batch: MicroBatch,
  results: Feeds,
  take: (index: number, part: PartOf) => void,
): void {
  let start = 0;
  for (const index of batch.members) {
    const [from, to] = [start, start + (row[index] as TrainSequence).trained.length];
    take(index, (output) => floats(results, output).subarray(from, to));
    start = to;
  }
}
