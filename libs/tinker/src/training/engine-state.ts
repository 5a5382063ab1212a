import type { CheckpointState, TrainedLoss } from '@hone/engine';

import type { SavedStopping } from './remote-stopping.js';

/** How a remote engine made a checkpoint or resume point, as `state.json` keeps it. */
export interface EngineState {
  readonly name: string;
  readonly kind: 'tinker';
  /** Name of the base model at the server. */
  readonly server_model: string;
  /** Where the server keeps weights and optimiser state. */
  readonly weights: string;
  readonly rank: number;
  readonly alpha: number;
  readonly reduction: string;
  /** What the server does by itself; the job's own limit of the gradient does not hold there. */
  readonly clip: 'none' | number;
}

/** Content of `config` in the `state.json` of a remote engine. */
export interface RemoteConfig extends TrainedLoss {
  readonly engine: EngineState;
  /** Of a resume point of a job with early stopping. */
  readonly early_stopping?: SavedStopping;
}

/** Null: the checkpoint was not made by a remote engine. */
export function remoteConfigOf({ config }: Pick<CheckpointState, 'config'>): RemoteConfig | null {
  const engine = (config as Partial<RemoteConfig> | null)?.engine;
  return typeof engine?.name === 'string' && typeof engine.weights === 'string' ? (config as RemoteConfig) : null;
}
