import type { TrainSequence } from '@hone/engine';

import { StepClock } from '../wire/step-clock.js';
import type { AdamParameters, TinkerClient } from '../wire/tinker-client.js';
import { backwardData, backwardLoss, type Batch, forwardData, ofTrained, planBatches } from './batches.js';
import { deleteWeights, weightsPath } from './kept-weights.js';

/** The results of a pass over a row, per trained token. */
export interface RemoteScores {
  /** Raw log-probability under the weights before the step. */
  readonly lp: Float32Array;
}

/** The registry of weights at the server, for the job of a model. */
export interface KeptWeights {
  add(path: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** A model at a server. Requests are numbered, so that one whose answer was lost can be sent again. */
export class RemoteModel {
  private readonly clock = new StepClock();
  private seq = 0;

  constructor(
    private readonly client: TinkerClient,
    readonly id: string,
    private readonly kept: KeptWeights,
    private readonly signal: AbortSignal,
  ) {}

  /** Takes a gradient step by the requests of `work`, and reports where its time went. */
  async timed<T>(work: () => Promise<T>): Promise<T> {
    this.clock.start();
    const result = await work();
    this.client.observer.step(this.client.settings.name, this.clock.seconds);
    return result;
  }

  /** Log-probabilities of the trained tokens under the current weights. */
  async score(row: readonly TrainSequence[]): Promise<RemoteScores[]> {
    return this.pass(row, (batch) => ({ lossFn: 'cross_entropy', forwardOnly: true, data: forwardData(row, batch) }));
  }

  /**
   * Adds the gradient of a row, `-sum of coefficient * gradient of lp`, to what the next step takes.
   *
   * @param coefficients per trained token of each sequence
   */
  async backward(row: readonly TrainSequence[], coefficients: readonly ArrayLike<number>[]): Promise<RemoteScores[]> {
    const { reduction, maxBatch } = this.client.settings;
    const all = planBatches(row.length, maxBatch).reduce((sum, { size }) => sum + size, 0);
    return this.pass(row, (batch) => ({
      ...backwardLoss(reduction),
      forwardOnly: false,
      data: backwardData(row, batch, coefficients, reduction, all),
    }));
  }

  /** Norm of the gradient before the step; null: the server does not report it. */
  async step(parameters: AdamParameters): Promise<number | null> {
    const metrics = await this.client.optimStep(this.id, ++this.seq, parameters, this.signal, this.clock);
    return metrics['skyrl.ai/grad_norm'] ?? null;
  }

  /** Continues from kept weights. The first request of the model. */
  async load(path: string, withOptimiser: boolean): Promise<void> {
    this.seq++;
    await this.client.loadWeights(this.id, path, withOptimiser, this.signal);
  }

  /** Keeps weights and optimiser state; returns where. */
  async save(name: string): Promise<string> {
    await this.kept.add(weightsPath(this.id, 'weights', name));
    return this.client.saveWeights(this.id, name, this.signal);
  }

  /** Deletes weights that were kept, of this model or an earlier one. What stays is left to those who read the registry. */
  async forget(path: string): Promise<void> {
    await deleteWeights(this.client, path, this.signal)
      .then(() => this.kept.remove(path))
      .catch(() => undefined);
  }

  /** Fetches the adapter into a new archive. */
  async fetchAdapter(name: string, path: string, maxBytes: number): Promise<void> {
    const kept = weightsPath(this.id, 'sampler_weights', name);
    await this.kept.add(kept);
    await this.client.saveAdapter(this.id, name, ++this.seq, this.signal);
    await this.client.download(this.id, name, path, maxBytes, this.signal);
    await this.forget(kept);
  }

  private async pass(
    row: readonly TrainSequence[],
    orderOf: (batch: Batch) => Omit<Parameters<TinkerClient['forwardBackward']>[0], 'modelId' | 'seqId'>,
  ): Promise<RemoteScores[]> {
    const scores: RemoteScores[] = [];
    for (const batch of planBatches(row.length, this.client.settings.maxBatch)) {
      const order = { ...orderOf(batch), modelId: this.id, seqId: ++this.seq };
      const { logprobs } = await this.client.forwardBackward(order, this.signal, this.clock);
      for (let at = 0; at < batch.count; at++) {
        const sequence = row[batch.first + at] as TrainSequence;
        scores.push({ lp: ofTrained(sequence, logprobs[at] as Float32Array) });
      }
    }
    return scores;
  }
}
