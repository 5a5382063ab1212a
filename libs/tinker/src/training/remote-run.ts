import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import {
  AdapterDamagedError,
  AdapterUnsupportedError,
  ArchiveError,
  ArchiveTooLargeError,
  type CheckpointState,
  type DecoderShape,
  type HeldOut,
  importPeftAdapter,
  lossOf,
  lossSettingsOf,
  NonFiniteLossError,
  type OtherModels,
  type PlanRow,
  preferenceMetrics,
  type PreferenceSteps,
  prepareRow,
  rlMetrics,
  rowLoss,
  type RunResult,
  type Scorer,
  settleSftRow,
  sftMetrics,
  type StepMetrics,
  type StoredPart,
  type TrainingSink,
  type TrainingSpec,
  unpackAdapter,
  writeCheckpointState,
} from '@hone/engine';

import type { TinkerSettings } from '../configuration/engine-settings.js';
import { EngineFailedError } from '../tinker.errors.js';
import type { EngineState, RemoteConfig } from './engine-state.js';
import { lossSequences } from './loss-sequences.js';
import type { RemoteModel } from './remote-model.js';
import type { RemoteStopping } from './remote-stopping.js';

const ARCHIVE_TRIES = 5;

/** The parts of a run, at the step after which it continues. */
export interface RemoteRunParts {
  readonly spec: TrainingSpec;
  readonly settings: TinkerSettings;
  readonly config: DecoderShape;
  readonly rows: readonly PlanRow[];
  readonly validation: HeldOut | null;
  /** Null: another kind of job. */
  readonly preferences: PreferenceSteps | null;
  readonly stopping: RemoteStopping | null;
  readonly model: RemoteModel;
  /** Loads weights that the job has kept into another model, which replaces `model`. */
  readonly restore: (model: RemoteModel, weights: string) => Promise<RemoteModel>;
  /** Scores of the frozen models, by the index of the row. */
  readonly othersOf: (index: number) => OtherModels;
  /** Of checkpoints, but for where their weights are. */
  readonly state: Omit<EngineState, 'weights'>;
  /** Gradient steps that were done before. */
  readonly done: number;
  /** Where the server keeps the weights that they led to; null: none were done. */
  readonly resumedFrom: string | null;
  /** Most bytes of an adapter's archive, packed and unpacked. */
  readonly maxArchiveBytes: number;
}

/** One attempt of a job at a server: one gradient step per planned row, resume points on the way, a checkpoint at the end. */
export class RemoteRun {
  private lastSaved = performance.now();
  private savedStep: number;
  private resumeWeights: string | null;
  private model: RemoteModel;

  constructor(private readonly parts: RemoteRunParts) {
    this.model = parts.model;
    this.savedStep = parts.done;
    this.resumeWeights = parts.resumedFrom;
  }

  /**
   * Takes the remaining gradient steps.
   *
   * @throws NonFiniteLossError, EngineUnreachableError, EngineLostError, EngineFailedError, and what the sink rejects with
   */
  async carryOut(cancel: AbortSignal, drain: AbortSignal | undefined, sink: TrainingSink): Promise<RunResult> {
    const { rows, done, stopping } = this.parts;
    for (let k = done + 1; k <= rows.length; k++) {
      cancel.throwIfAborted();
      if (drain?.aborted) return this.drain(k - 1, sink);
      await sink.step(k, stopping?.rule.hasStopped ? stopping.rule.leftOut : await this.takeStep(k));
      if (k === rows.length) break;
      if (this.isCheckpointDue(k)) await sink.checkpoint(k, await this.saveCheckpoint(`checkpoint-${k}`, k));
      if (this.isResumePointDue(k)) await this.saveResumePoint(k, sink);
    }
    return { status: 'finished', checkpoint: await this.saveLast() };
  }

  /** With early stopping the weights that gave the lowest validation loss, which is finite, otherwise the last ones. */
  private async saveLast(): Promise<StoredPart> {
    const { rows, stopping, restore } = this.parts;
    const kept = stopping?.kept ?? null;
    if (kept === null || kept.k === rows.length) return this.saveCheckpoint('checkpoint', rows.length);
    this.model = await restore(this.model, kept.weights);
    return this.saveCheckpoint('checkpoint', kept.k);
  }

  private async drain(k: number, sink: TrainingSink): Promise<RunResult> {
    if (k > this.savedStep) await this.saveResumePoint(k, sink);
    return { status: 'drained' };
  }

  private async takeStep(k: number): Promise<StepMetrics> {
    const { rows, spec, validation, stopping } = this.parts;
    const row = rows[k - 1] as PlanRow;
    const learningRate = row.learningRate * spec.optimiser.learning_rate_factor;
    const metrics = await this.model.timed(() => this.train(k, row, learningRate));
    if (!validation?.isDue(k, rows.length)) return metrics;
    const { loss, metrics: found } = await validation.evaluate(this.model);
    await stopping?.record(k, loss, this.model, this.nameOf(`best-${k}`));
    return { ...metrics, ...(Number.isFinite(loss) && { validation_loss: loss, ...found }), ...stopping?.rule.metrics };
  }

  private train(k: number, row: PlanRow, learningRate: number): Promise<StepMetrics> {
    const { spec, preferences } = this.parts;
    if (preferences) return this.prefer(k, row, learningRate, preferences);
    return spec.loss === null ? this.fineTune(k, row, learningRate) : this.reinforce(k, row, learningRate);
  }

  /** Two passes, as of reinforcement learning. Sequences that are only scored take no part in the second. */
  private async prefer(
    k: number,
    planned: PlanRow,
    learningRate: number,
    preferences: PreferenceSteps,
  ): Promise<StepMetrics> {
    const scored = await preferences.score(planned, this.model);
    if (!Number.isFinite(scored.loss)) throw new NonFiniteLossError(k);
    const coefficients = scored.answers.map(({ weight }) => weight);
    await this.model.backward(scored.answers, coefficients);
    const gradientNorm = await this.update(k, scored.loss, learningRate);
    return preferenceMetrics(scored, planned, { gradientNorm, learningRate });
  }

  /** One pass: the coefficients of cross entropy do not depend on log-probabilities. */
  private async fineTune(k: number, row: PlanRow, learningRate: number): Promise<StepMetrics> {
    const started = performance.now();
    const batch = settleSftRow(row);
    const seconds = () => (performance.now() - started) / 1000;
    if (batch.numTrainableTokens === 0) return sftMetrics(batch, null, learningRate, seconds());
    const weights = batch.sequences.map(({ weight }) => weight);
    const scores = await this.model.backward(batch.sequences, weights);
    const { loss } = rowLoss({ kind: 'sft' }, lossSequences(batch.sequences, scores));
    return sftMetrics(batch, { loss, gradientNorm: await this.update(k, loss, learningRate) }, learningRate, seconds());
  }

  /** Two passes: log-probabilities, and the gradient that the loss takes from them. */
  private async reinforce(k: number, planned: PlanRow, learningRate: number): Promise<StepMetrics> {
    const { spec, othersOf } = this.parts;
    const lossSpec = spec.loss as NonNullable<TrainingSpec['loss']>;
    const learner = scoredOnce(this.model);
    const { row, meanKl } = await prepareRow(planned, lossSpec, learner, othersOf(k - 1));
    const scores = await learner.score(row.sequences);
    const { loss, coefficients } = rowLoss(lossSettingsOf(lossSpec), lossSequences(row.sequences, scores));
    if (!Number.isFinite(loss)) throw new NonFiniteLossError(k);
    await this.model.backward(row.sequences, coefficients);
    const gradientNorm = await this.update(k, loss, learningRate);
    const found = { loss, gradientNorm, scores: scores.map(({ lp }) => ({ lp, entropy: null })) };
    return rlMetrics(row, found, learningRate, meanKl);
  }

  /** @returns length of the gradient */
  private async update(k: number, loss: number, learningRate: number): Promise<number | null> {
    const { beta1, beta2, epsilon, weight_decay } = this.parts.spec.optimiser;
    if (!Number.isFinite(loss)) throw new NonFiniteLossError(k);
    const norm = await this.model.step({ learning_rate: learningRate, beta1, beta2, eps: epsilon, weight_decay });
    if (norm !== null && !Number.isFinite(norm)) throw new NonFiniteLossError(k);
    return norm;
  }

  private isCheckpointDue(k: number): boolean {
    const { spec, stopping } = this.parts;
    const { checkpoint_every: every } = spec;
    return every !== null && k % every === 0 && !stopping?.rule.hasStopped;
  }

  private isResumePointDue(k: number): boolean {
    const { spec, stopping } = this.parts;
    // The rest of the run takes no time.
    if (stopping?.rule.hasStopped) return false;
    const { steps, seconds } = spec.resume_every;
    return k % steps === 0 || performance.now() - this.lastSaved >= seconds * 1000;
  }

  private async saveResumePoint(k: number, sink: TrainingSink): Promise<void> {
    const directory = this.pathOf(`resume-${k}`);
    const { stopping } = this.parts;
    const state = await this.stateAt(k, `resume-${k}`, stopping && { early_stopping: stopping.saved });
    const { sha256 } = await writeCheckpointState(directory, state);
    await sink.resumePoint(k, { uri: pathToFileURL(directory).href, sha256 });
    // Nothing refers to the one before any more. The last one stays: the job's commit may yet fail.
    if (this.resumeWeights !== null) await this.model.forget(this.resumeWeights);
    await stopping?.forgetSurpassed(this.model);
    this.resumeWeights = state.config.engine.weights;
    this.savedStep = k;
    this.lastSaved = performance.now();
  }

  /** Weights stay at the server, for the next job; the adapter comes here, and is checked like any that is imported. */
  private async saveCheckpoint(folder: string, k: number): Promise<StoredPart> {
    const state = await this.stateAt(k, folder);
    for (let tries = 1; ; tries++) {
      try {
        return await this.importAdapter(folder, state, tries === 1 ? folder : `${folder}-${tries}`);
      } catch (error) {
        // Processes of a SkyRL cluster with one file system write the archive at the same time: one of the next is whole.
        const isDamaged = error instanceof ArchiveError;
        if (!isDamaged || tries === ARCHIVE_TRIES) throw asEngineError(error, this.parts.settings.name);
      }
    }
  }

  private async importAdapter(folder: string, state: CheckpointState, name: string): Promise<StoredPart> {
    const { spec, config, maxArchiveBytes } = this.parts;
    const [archive, source, directory] = [`${name}.tar.gz`, `${name}-source`, folder].map((file) =>
      this.pathOf(file),
    ) as [string, string, string];
    try {
      await this.model.fetchAdapter(this.nameOf(name), archive, maxArchiveBytes);
      await mkdir(source);
      await unpackAdapter({ archive, directory: source, maxBytes: maxArchiveBytes });
      const { sha256 } = await importPeftAdapter(directory, { source, config, baseModel: spec.base_model, state });
      return { uri: pathToFileURL(directory).href, sha256 };
    } finally {
      await Promise.all([archive, source].map((path) => rm(path, { recursive: true, force: true })));
    }
  }

  private async stateAt(k: number, folder: string, more: Pick<RemoteConfig, 'early_stopping'> | null = null) {
    const { spec, state } = this.parts;
    const weights = await this.model.save(this.nameOf(folder));
    const engine: EngineState = { ...state, weights };
    return { step: k, optimizerSteps: k, rng: { seed: spec.seed }, config: { ...lossOf(spec), engine, ...more } };
  }

  /** Names at a server are unique within a model, which is one attempt's. */
  private nameOf(folder: string): string {
    return `hone-${this.parts.spec.job_id}-a${this.parts.spec.attempt}-${folder}`;
  }

  private pathOf(name: string): string {
    return join(fileURLToPath(this.parts.spec.output_prefix), name);
  }
}

/** Scores a row once and caches the result: the weights do not change before the step. */
function scoredOnce(model: RemoteModel): Scorer {
  let scores: ReturnType<RemoteModel['score']> | undefined;
  return { score: (row) => (scores ??= model.score(row)) };
}

function asEngineError(error: unknown, engine: string): unknown {
  if (error instanceof ArchiveTooLargeError)
    return new EngineFailedError(engine, 'the archive of its adapter is too large.');
  if (error instanceof ArchiveError) {
    const where = error.file === null ? '' : `${error.file}: `;
    return new EngineFailedError(engine, `the archive of its adapter is not usable: ${where}${error.message}.`);
  }
  if (error instanceof AdapterDamagedError || error instanceof AdapterUnsupportedError) {
    return new EngineFailedError(engine, `its adapter is not usable: ${error.reason}.`);
  }
  return error;
}
