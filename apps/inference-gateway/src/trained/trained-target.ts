import type { ArtifactStore } from '@hone/artifacts';

import type { EmbeddedModels, EmbeddedTarget } from '../embedded/index.js';
import { LazyEmbeddedTarget } from '../models/lazy-embedded-target.js';
import type { AnswerReader, Attempt, PinnedModel, RunningAttempt } from '../upstreams/target.js';
import type { CheckpointHolds } from './checkpoint-holds.js';
import { watchEnd } from './watch-end.js';
import { type ResolvedRef, stepOf } from './trained-model.js';

/** What trained targets are made with. */
export interface TrainedTargetTools {
  readonly engine: EmbeddedModels;
  readonly store: ArtifactStore;
  readonly holds: CheckpointHolds;
}

/**
 * A trained model at one step, on the embedded engine. Its weights never change: whatever happens to the checkpoint,
 * requests that began with it end with it.
 */
export class TrainedTarget extends LazyEmbeddedTarget {
  override readonly pinned: PinnedModel;

  /** @param name the reference with its step, which answers show as their model */
  constructor(
    private readonly tools: TrainedTargetTools,
    private readonly ref: ResolvedRef,
    upstream: string,
    name: string,
  ) {
    super(upstream, ref.model.baseModel);
    const { checkpoint } = ref;
    const headers = { 'hone-policy-version': String(stepOf(ref)) };
    this.pinned = { name, headers: { ...headers, ...(checkpoint && { 'hone-checkpoint': checkpoint.id }) } };
  }

  /**
   * Holds the checkpoint's bytes from now on, before anything reads them.
   *
   * @throws EngineError the base model cannot be served; `storage.corrupt`
   * @throws StoredFileMissingError
   */
  override async open(): Promise<EmbeddedTarget> {
    const { checkpoint } = this.ref;
    if (checkpoint !== null) await this.tools.holds.hold(checkpoint.id);
    return super.open();
  }

  override dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    const { checkpoint } = this.ref;
    if (checkpoint === null) return super.dispatch(attempt, reader);
    const leave = this.tools.holds.enter(checkpoint.id);
    return watchEnd(
      (watched) => super.dispatch(attempt, watched),
      reader,
      (failure) => {
        leave();
        // The next request is told before it is admitted.
        if (failure?.reason === 'corrupt') this.close();
      },
    );
  }

  protected async load(): Promise<EmbeddedTarget> {
    const { engine, store } = this.tools;
    const { checkpoint } = this.ref;
    const { name } = this.pinned;
    if (checkpoint === null) return engine.target(this.model, null, name);
    const { id, uri, manifestSha256: sha256 } = checkpoint;
    const choice = { id, directory: await store.localPath(uri), sha256 };
    await engine.attach(this.model, choice);
    return engine.target(this.model, choice, name);
  }
}
