import type { AnswerOutcome } from '../../dispatch/answer/outcome.js';

/** Result of a request. `refused`: the gateway answered with an error before dispatch. */
export type RequestResult = 'ok' | 'failed' | 'aborted' | 'refused';

/** A chat completion that has ended: source of its metrics, its log line and its span. Contains no text of it. */
export interface ObservedRequest {
  /** The request's id, which its caller may have chosen. */
  readonly rid: string;
  /** Idempotency key of the usage record. */
  readonly uid: string;
  /** The billed project, `<entity>/<project>`; null: the request was refused earlier. */
  readonly project: string | null;
  /** Requested model, existing or not; null: the body was not read. */
  readonly modelAsked: string | null;
  /** Id of the configured route, `trained` for trained models, or `none`: a label with few values. */
  readonly route: string;
  readonly isStream: boolean;
  /** Keyed hash of the request's `user`; null: the request has none. */
  readonly userHash: string | null;
  /** Number of fields that Hone does not know. */
  readonly unknownFields: number;
  /** HTTP status of the response; 0: none was sent. */
  readonly status: number;
  readonly result: RequestResult;
  /** `error.code` of the response; null: no error. */
  readonly errorCode: string | null;
  /** Null: the request was not dispatched. */
  readonly outcome: AnswerOutcome | null;
  readonly durationMs: number;
}
