import type { AnswerReader, Attempt, PinnedModel, RunningAttempt } from '../target.js';
import type { TrainedWeights } from '../upstream.js';
import type { EmbeddedModels } from './embedded-models.js';
import type { EmbeddedTarget } from './embedded-target.js';
import { LazyTarget } from './lazy-target.js';
import { watchEnd } from './watch-end.js';

/**
 * A trained model at one step, on the embedded engine. Its weights never change: a request that began with a checkpoint
 * ends with it, even if the checkpoint is deleted meanwhile.
 */
export class TrainedTarget extends LazyTarget {
  override readonly pinned: PinnedModel;

  constructor(
    upstream: string,
    engine: EmbeddedModels,
    private readonly weights: TrainedWeights,
  ) {
    super(upstream, weights.baseModel, () => load(engine, weights));
    this.pinned = weights.pinned;
  }

  /** Holds the checkpoint's bytes before they are read. @throws TargetUnavailableError */
  override async open(): Promise<void> {
    await this.weights.checkpoint?.hold();
    await super.open();
  }

  override dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    const { checkpoint } = this.weights;
    if (checkpoint === null) return super.dispatch(attempt, reader);
    const leave = checkpoint.enter();
    return watchEnd(
      (watched) => super.dispatch(attempt, watched),
      reader,
      (failure) => {
        leave();
        // The next request opens the checkpoint again and is refused before it is admitted.
        if (failure?.reason === 'corrupt') this.reset();
      },
    );
  }
}

async function load(
  engine: EmbeddedModels,
  { baseModel, checkpoint, pinned }: TrainedWeights,
): Promise<EmbeddedTarget> {
  if (checkpoint === null) return engine.target(baseModel, null, pinned.name);
  const { id, manifestSha256: sha256 } = checkpoint;
  const choice = { id, directory: await checkpoint.localPath(), sha256 };
  await engine.attach(baseModel, choice);
  return engine.target(baseModel, choice, pinned.name);
}
