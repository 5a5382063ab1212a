import type { Principal, ProjectGrant } from '@hone/auth';

import type { CallEntry } from '../call-log/call-entry.js';
import type { ResolvedModel } from '../catalogue/models/resolved-model.js';
import type { AnswerObserver } from '../dispatch/answer/answer-observer.js';
import type { AnswerOutcome } from '../dispatch/answer/outcome.js';
import type { Exchange } from '../http/exchange.js';
import type { GatewaySettings } from '../shared/gateway-settings.js';
import type { ChatRequest } from '../targets/target.js';
import type { Door, DoorRequest } from './door.js';
import type { MeteredRun } from './metered-run.js';
import type { DrawnArm, ShadowedRequest } from './splits/drawn-arm.js';

/** A request on its way through the pipeline: each step uses what earlier steps have found, and adds its own. */
export class ChatContext {
  /** Who asks. Set before {@link Authenticate} if it is known already. */
  caller!: Principal;
  /** The billed project. */
  project!: ProjectGrant;
  /** What was sent, inflated. */
  body!: Buffer;
  parsed!: DoorRequest;
  /** Names of the models that may answer in place of the first, in order. */
  fallbacks!: readonly string[];
  model!: ResolvedModel;
  /** The request of a caller that this one repeats with another model, for nobody. Null: a caller waits for this one. */
  shadowed: ShadowedRequest | null = null;
  /** What was drawn of the split of the alias that the request names. Null: it names no alias with a split. */
  drawn: DrawnArm | null = null;
  /** As targets get it. */
  request!: ChatRequest;
  /** The call that the request becomes; null: it is not kept. */
  entry!: CallEntry | null;
  /** Names that call to the caller; null: none. */
  callHeader!: Readonly<Record<string, string>> | null;
  /** The reservation of limits and budget. */
  metered!: MeteredRun;
  outcome!: AnswerOutcome;
  /** Hears of each attempt, for metrics, spans and the log line. */
  observer!: AnswerObserver;

  constructor(
    readonly exchange: Exchange,
    readonly door: Door,
    readonly settings: GatewaySettings,
  ) {}
}

/** One step of the pipeline. It returns a promise only where it has to wait: an `await` costs microseconds. */
export interface ChatStep {
  run(chat: ChatContext): void | Promise<void>;
}
