import type { AnswerOutcome } from '../../dispatch/outcome.js';

/** What a request came to. `refused`: it was answered with an error before any target was looked for. */
export type RequestResult = 'ok' | 'failed' | 'aborted' | 'refused';

/** A chat completion that has ended: what its metrics, its log line and its span are made of. Holds no text of it. */
export interface ObservedRequest {
  /** The request's id, which its caller may have chosen. */
  readonly rid: string;
  /** The billing key. */
  readonly uid: string;
  /** `<entity>/<project>` that pays; null: it was refused before that was known. */
  readonly project: string | null;
  /** Model that was asked for, whether there is one or not; null: the body was not read. */
  readonly modelAsked: string | null;
  /** Id of the configured route, `trained` for trained models, or `none`: few values, whatever callers send. */
  readonly route: string;
  readonly isStream: boolean;
  /** Keyed hash of the request's `user`; null: it named none. */
  readonly userHash: string | null;
  /** Fields that Hone does not know. */
  readonly unknownFields: number;
  /** HTTP status that the caller was sent; 0: none. */
  readonly status: number;
  readonly result: RequestResult;
  /** `error.code` that the caller was told; null: none. */
  readonly errorCode: string | null;
  /** Null: it never came to a target. */
  readonly outcome: AnswerOutcome | null;
  readonly durationMs: number;
}
