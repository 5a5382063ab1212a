import type { Principal, ProjectGrant } from '@hone/auth';

import type { AnswerOutcome } from '../routing/answer-sink.js';
import type { Price } from '../routing/route.js';

/** What is known of a request when it is admitted. */
export interface MeteredRequest {
  /** The billing key: minted here, never chosen by a caller. */
  readonly uid: string;
  readonly rid: string;
  readonly principal: Principal;
  /** Who pays. */
  readonly project: ProjectGrant;
  readonly modelAsked: string;
  readonly checkpointId: string | null;
  readonly isStream: boolean;
  /** Of the prompt, roughly. */
  readonly promptTokens: number;
  /** Tokens that the answer may have at most; null: the caller named no limit. */
  readonly maxTokens: number | null;
  readonly price: Price | null;
}

/** A request that may run. Exactly one of its methods is called last. */
export interface MeteredRun {
  /** Headers of limits that apply, lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Puts a whole answer on record, before its last bytes go out.
   *
   * @returns headers that tell what it cost, lower-case, for answers whose headers are still to be written
   * @throws Error it cannot be recorded
   */
  complete(outcome: AnswerOutcome, responseId: string): Promise<Readonly<Record<string, string>>>;
  /** Puts on record what ended without a whole answer. */
  close(outcome: AnswerOutcome): Promise<void>;
}

/** Admits requests within limits and records what they used. */
export interface Metering {
  /**
   * The project that pays for a caller's requests.
   *
   * @param header that names it, as it came; undefined: the key's own
   * @throws GatewayError 403
   */
  authorize(caller: Principal, header: string | undefined): Promise<ProjectGrant>;
  /** What {@link authorize} would say, if it can be said at once; undefined: ask it. */
  recall(caller: Principal, header: string | undefined): ProjectGrant | undefined;
  /** At once where the limits are at hand. @throws GatewayError 402, 429, 503 */
  admit(request: MeteredRequest): MeteredRun | Promise<MeteredRun>;
}

/** What provides the metering to Nest. */
export const METERING = Symbol('metering');
