import type { StoredWeights } from '../blocks/index.js';
import { areFinite, largestMagnitude } from '../finite.js';
import { chooseRunner } from './choose-runner.js';
import type { RunnerStep, StepRunner } from './step-runner.js';
import { NonFiniteLossError, NonFiniteUpdateError } from './train.errors.js';
import type { TrainGraphSettings } from './train-graph.js';
import type { LateWeights, RankedTokenScores, TokenScores, TrainSequence } from './train-sequence.js';
import type { TrainState } from './train-state.js';

export { copyState, freshState, type TrainState } from './train-state.js';

export interface StepResult {
  /** Loss of the row before the step. */
  readonly loss: number;
  /** Length of the gradient before clipping. */
  readonly gradientNorm: number;
  /** In the order of the row's sequences. */
  readonly scores: readonly TokenScores[];
}

export interface TrainerOptions {
  /** Memory limit of the job's process, in bytes; null: chooseRunner derives it from the weights. */
  readonly memoryBytes?: number | null;
}

/** Weights up to here keep the products of a layer far from the limits of float32; trained ones are far below. */
const ORDINARY_MAGNITUDE = 1000;

/**
 * Takes gradient steps on one model. Same state, rows, machine, thread count and memory: same bytes.
 * A step that throws leaves the state as it was.
 */
export class Trainer {
  private readonly runner: StepRunner;

  /**
   * @param weights of the base model; those that are trained themselves are not read
   * @param state where to start from
   */
  constructor(
    settings: TrainGraphSettings,
    weights: StoredWeights,
    private state: TrainState,
    threads: number,
    { memoryBytes = null }: TrainerOptions = {},
  ) {
    this.runner = chooseRunner(settings, weights, threads, memoryBytes);
  }

  /** Valid until the next step. */
  get current(): TrainState {
    return this.state;
  }

  /** Opens the graphs for these rows, so that the steps only compute. */
  prepare(rows: readonly (readonly Pick<TrainSequence, 'ids'>[])[]): Promise<void> {
    return this.runner.prepare(rows);
  }

  /** Log-probabilities of the trained tokens. @param parameters absent: the current ones */
  score(row: readonly TrainSequence[], parameters = this.state.parameters): Promise<RankedTokenScores[]> {
    return this.runner.score(parameters, row);
  }

  /**
   * One optimiser step on a row, in as many passes as its size needs.
   *
   * @throws NonFiniteLossError the loss, the gradient or a value that the step leads to is not finite
   */
  async step(row: readonly TrainSequence[], learningRate: number): Promise<StepResult> {
    return this.settle(await this.runner.step(this.state, row, learningRate));
  }

  /**
   * The same with weights that follow from the row's log-probabilities: in one look at the row where its groups fit into
   * the passes, otherwise in two.
   *
   * @param row its own weights are not read
   */
  async stepWeighed(row: readonly TrainSequence[], weights: LateWeights, learningRate: number): Promise<StepResult> {
    const taken = await this.runner.stepWeighed?.(this.state, row, weights, learningRate);
    if (taken) return this.settle(taken);
    const scores = await this.score(row);
    const found = weights.of([...row.keys()], scores);
    const trained = row.flatMap((sequence, at) => {
      const weight = found[at];
      return weight ? [{ ...sequence, weight }] : [];
    });
    return { ...(await this.step(trained, learningRate)), scores };
  }

  private settle({ loss, gradientNorm, scores, state }: RunnerStep): StepResult {
    if (!Number.isFinite(loss) || !Number.isFinite(gradientNorm)) throw new NonFiniteLossError(this.state.updates);
    // The loss belongs to the weights before the update, so it does not show an overflow of the new ones.
    if (![state.parameters, state.firstMoment, state.secondMoment].every(areFinite)) {
      throw new NonFiniteUpdateError(this.state.updates);
    }
    this.state = state;
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

  release(): Promise<void> {
    return this.runner.release();
  }
}
