import { fileURLToPath } from 'node:url';

import {
  type BaseModelSources,
  type EngineCapabilities,
  findBaseModel,
  hasSameLoss,
  heldOutOf,
  type OtherModels,
  type PlanRow,
  PreferenceSteps,
  readCheckpointState,
  readDecoderShape,
  readPlan,
  type RunResult,
  type RunSignals,
  type StoredPart,
  type TrainingEngine,
  type TrainingSink,
  type TrainingSpec,
} from '@hone/engine';

import type { RemoteBaseModel, TinkerSettings } from '../configuration/engine-settings.js';
import { EngineFailedError, EngineLostError, ParentElsewhereError } from '../tinker.errors.js';
import type { EngineObserver } from '../wire/engine-observer.js';
import { TinkerClient } from '../wire/tinker-client.js';
import { DEFAULT_WIRE_TIMES } from '../wire/tinker-http.js';
import { type RemoteConfig, remoteConfigOf } from './engine-state.js';
import type { ModelRegistry } from './model-registry.js';
import type { RemoteModel } from './remote-model.js';
import { RemoteRun } from './remote-run.js';
import { RemoteSession } from './remote-session.js';
import { RemoteStopping, type SavedStopping } from './remote-stopping.js';
import { StoredScores } from './stored-scores.js';

export interface TinkerEngineOptions {
  /** Folders of base models for which the configuration names none. */
  readonly sources: BaseModelSources;
  /** Most bytes of an adapter's archive, packed and unpacked. */
  readonly maxArchiveBytes: number;
  /** Default: no metrics. */
  readonly observer?: EngineObserver;
}

/** The server has no limit of its own: that of the base model applies. */
const MAX_CONTEXT = 1_048_576;
const MAX_SEED = 2 ** 31;

/** Trains on a server that speaks the Tinker protocol. It computes no gradients, and needs no process of its own. */
export class TinkerTrainingEngine implements TrainingEngine {
  readonly client: TinkerClient;

  constructor(
    readonly settings: TinkerSettings,
    private readonly options: TinkerEngineOptions,
    private readonly registry: ModelRegistry,
    client = new TinkerClient(settings, DEFAULT_WIRE_TIMES, options.observer),
  ) {
    this.client = client;
  }

  capabilities(): EngineCapabilities {
    return {
      kinds: ['rl', 'sft', 'preference'],
      maxContext: this.settings.maxContext ?? MAX_CONTEXT,
      lora: true,
      deterministic: false,
    };
  }

  async supports(baseModel: string): Promise<boolean> {
    return this.settings.baseModels.has(baseModel);
  }

  /** Nothing to prepare: the server has loaded its models, or loads them by itself. */
  async prepare(): Promise<void> {
    return undefined;
  }

  /** Whether the server is reachable. */
  async isReachable(signal: AbortSignal): Promise<boolean> {
    return this.client.findBaseModels(signal).then(
      () => true,
      () => false,
    );
  }

  /** Folder with configuration and tokenizer of a base model. */
  async findBase(baseModel: string, signal?: AbortSignal): Promise<string> {
    return this.baseOf(baseModel).path ?? findBaseModel(baseModel, this.options.sources, signal);
  }

  /**
   * Carries out one attempt.
   *
   * @throws EngineUnreachableError, EngineCapacityError, EngineLostError, EngineFailedError, ParentElsewhereError
   * @throws NonFiniteLossError, SpecMismatchError, CheckpointCorruptError
   */
  async run(spec: TrainingSpec, signals: RunSignals, sink: TrainingSink): Promise<RunResult> {
    const { rows, validation } = await readPlan(spec.plan);
    const parent = await this.remoteOf(spec.parent);
    const reference = await this.remoteOf(spec.reference);
    const { servedAs } = this.baseOf(spec.base_model);
    const config = await readDecoderShape(await this.findBase(spec.base_model, signals.cancel));
    await this.assertServed(servedAs, signals.cancel);
    const rank = this.rankOf(spec, parent);
    const order = { jobId: spec.job_id, attempt: spec.attempt, servedAs, rank, seed: spec.seed % MAX_SEED };
    const session = await RemoteSession.open(this.client, this.registry, order, signals.cancel);
    try {
      const held = { repeats: undefined, sequences: validation };
      const scored = spec.preference ? [...rows, held] : rows;
      const othersOf = await this.scoreOthers(spec, session, scored, { parent, reference });
      const { stopping: saved, ...started } = await this.start(spec, session, parent);
      const { name, reduction, gradientClip: clip, lora } = this.settings;
      const state = { name, kind: 'tinker' as const, server_model: servedAs, rank, alpha: lora.alpha, reduction, clip };
      const asked = spec.validation?.early_stopping;
      const { maxArchiveBytes } = this.options;
      const parts = {
        spec,
        settings: this.settings,
        config,
        rows,
        validation: heldOutOf(spec, validation, othersOf(rows.length).reference),
        preferences: spec.preference ? new PreferenceSteps(spec.preference, (row) => othersOf(row).reference) : null,
        stopping: asked ? new RemoteStopping(asked, saved) : null,
        ...started,
        restore: async (model: RemoteModel, weights: string) => {
          await session.unload(model.id);
          return loaded(session, weights);
        },
        othersOf,
        state,
      };
      return await new RemoteRun({ ...parts, maxArchiveBytes }).carryOut(signals.cancel, signals.drain, sink);
    } finally {
      await session.close();
    }
  }

  private baseOf(baseModel: string): RemoteBaseModel {
    const base = this.settings.baseModels.get(baseModel);
    if (base === undefined) throw new EngineFailedError(this.settings.name, `it has no base model ${baseModel}.`);
    return base;
  }

  /** @throws EngineFailedError the server has other models: some servers would train whatever they have */
  private async assertServed(servedAs: string, signal: AbortSignal): Promise<void> {
    const served = await this.client.findBaseModels(signal);
    if (served.includes(servedAs)) return;
    throw new EngineFailedError(this.settings.name, `the server has no model ${servedAs}, but ${served.join(', ')}.`);
  }

  /** Null: the base. @throws ParentElsewhereError */
  private async remoteOf(part: StoredPart | null): Promise<RemoteConfig | null> {
    if (part === null) return null;
    const config = remoteConfigOf(await readCheckpointState(fileURLToPath(part.uri), part.sha256));
    if (config?.engine.name === this.settings.name) return config;
    throw new ParentElsewhereError(this.settings.name, config?.engine.name ?? 'embedded');
  }

  private rankOf({ lora_asked: asked }: TrainingSpec, parent: RemoteConfig | null): number {
    if (parent === null) return asked?.r ?? this.settings.lora.rank;
    const { rank } = parent.engine;
    if (asked?.r && asked.r !== rank) {
      const { name } = this.settings;
      throw new EngineFailedError(
        name,
        `the checkpoint that the job starts from has rank ${rank}, which it cannot change.`,
      );
    }
    return rank;
  }

  /** The model that learns: at the resume point, or at the checkpoint that the job starts from. */
  private async start(
    spec: TrainingSpec,
    session: RemoteSession,
    parent: RemoteConfig | null,
  ): Promise<{ model: RemoteModel; done: number; resumedFrom: string | null; stopping: SavedStopping | null }> {
    const resume = await this.remoteOf(spec.resume);
    if (spec.resume !== null && resume !== null) {
      const { weights } = resume.engine;
      try {
        const model = await loaded(session, weights);
        return { model, done: spec.resume.k, resumedFrom: weights, stopping: resume.early_stopping ?? null };
      } catch (error) {
        // The server has lost the resume point: the job begins anew.
        if (!(error instanceof EngineLostError)) throw error;
      }
    }
    const model = await session.create();
    if (parent) await this.loadKept(model, parent, hasSameLoss(parent, spec));
    return { model, done: 0, resumedFrom: null, stopping: null };
  }

  /** @throws EngineFailedError the server does not have the weights any more */
  private async loadKept(model: RemoteModel, { engine }: RemoteConfig, withOptimiser: boolean): Promise<void> {
    try {
      await model.load(engine.weights, withOptimiser);
    } catch (error) {
      if (!(error instanceof EngineLostError)) throw error;
      const reason = `it does not have the weights of the checkpoint that the job starts from (${engine.weights}).`;
      throw new EngineFailedError(this.settings.name, reason);
    }
  }

  /** Passes over the whole plan under other weights, one model at a time, before the job's own takes its slot. */
  private async scoreOthers(
    { loss, preference }: TrainingSpec,
    session: RemoteSession,
    rows: readonly Pick<PlanRow, 'repeats' | 'sequences'>[],
    { parent, reference }: { parent: RemoteConfig | null; reference: RemoteConfig | null },
  ): Promise<(index: number) => OtherModels> {
    const scoresUnder = async (start: RemoteConfig | null): Promise<StoredScores> => {
      const model = await session.create();
      try {
        if (start) await this.loadKept(model, start, false);
        return await StoredScores.take(model, rows);
      } finally {
        await session.unload(model.id);
      }
    };
    const ofParent = loss?.precalculate_logprobs ? await scoresUnder(parent) : null;
    // Measured even without a penalty: the distance from the base is the first sign of a run that goes wrong.
    const ofReference = loss ? await scoresUnder(reference) : null;
    // A preference loss without a reference needs no pass.
    const ofPreferences =
      preference && preference.method !== 'orpo'
        ? await scoresUnder(preference.reference === 'base' ? null : parent)
        : null;
    const measured = ofReference ?? ofPreferences;
    return (index) => ({ parent: ofParent?.at(index) ?? null, reference: measured?.at(index) ?? null });
  }
}

/** A model that goes on from weights of the same job, moments included. @throws EngineLostError the server has lost them */
async function loaded(session: RemoteSession, weights: string): Promise<RemoteModel> {
  const model = await session.create();
  try {
    await model.load(weights, true);
    return model;
  } catch (error) {
    await session.unload(model.id);
    throw error;
  }
}
