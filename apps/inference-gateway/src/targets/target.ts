import type { Capability, Issue } from '@hone/contracts';

import type { TargetFailure } from './target-failure.js';

/** A chat completion that a caller asked for, checked, as every target gets it. */
export interface ChatRequest {
  /** The request's id, which answers carry as `chatcmpl-<rid>`. */
  readonly rid: string;
  /** The caller's JSON, inflated: valid, an object, and without a top-level key that comes twice. */
  readonly body: Buffer;
  /** The same, parsed, with the `overrides`. Numbers beyond 2^53 have lost digits here and not in `body`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields that are sent with these values, whatever the caller sent: JSON values. */
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly isStream: boolean;
  /** `n`: how many choices the answer has. */
  readonly choices: number;
  /** The caller wants the frame with the usage at the end of a stream. */
  readonly wantsUsageFrame: boolean;
  /** Headers that go to upstreams, lower-case, beside those that every request has. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How long one attempt may take. The embedded engine has a heartbeat instead. */
export interface AttemptLimits {
  /** Streams: from dispatch to the first answer frame. */
  readonly ttftMs: number;
  /** Other answers: from dispatch to the headers. */
  readonly responseMs: number;
  /** Gap between bytes after the first answer frame, or inside of a body. */
  readonly stallMs: number;
  /** Silence after all choices have finished that counts as the end. */
  readonly doneGraceMs: number;
}

/** One try of a request at one target. */
export interface Attempt {
  readonly request: ChatRequest;
  /** 1 for the first try of the request, whatever its target. */
  readonly number: number;
  /** For the upstream, before those of the request; lower-case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly limits: AttemptLimits;
}

export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of the prompt's tokens. */
  readonly cachedTokens: number;
  /** Of the completion's tokens. */
  readonly reasoningTokens: number;
  readonly source: 'upstream' | 'engine' | 'estimated';
}

/** What was odd about an answer that is whole all the same; worth a metric. */
export type Oddity = 'malformed_frame' | 'done_missing' | 'not_streamed';

/** A whole answer, proven. */
export interface CompleteAnswer {
  /** A stream's last frames, held back until the proof, with `[DONE]` at their end; otherwise the whole body. */
  readonly bytes: Buffer;
  readonly usage: TokenUsage;
  readonly oddities: readonly Oddity[];
  /** `finish_reason` of each choice, in order; absent: not known. */
  readonly finishReasons?: readonly string[];
}

/**
 * Whoever dispatched an attempt. Calls come in order, none while `dispatch` has not returned, and none after
 * `onComplete`, `onFailure` or an abort.
 */
export interface AnswerReader {
  /**
   * Frames of a stream, whole and as the caller is to see them. Never `[DONE]`, and never the frame after which all
   * choices are finished: an answer that turns out broken has not been finished.
   *
   * @param hasAnswer a frame among them carries text, a call, or the end of a choice
   */
  onFrames(bytes: Buffer, hasAnswer: boolean): void;
  onComplete(answer: CompleteAnswer): void;
  /** Nothing more comes of this attempt; what came before is no answer. */
  onFailure(failure: TargetFailure): void;
}

/** An attempt under way. */
export interface RunningAttempt {
  /** The caller is slow: nothing more is read, and no time limit runs, until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it at once, with the connection or the generation behind it. */
  abort(): void;
  /** What was produced until now, of the prompt too. */
  produced(): TokenUsage;
  /** Frames that were left out because they were none; absent: it has no frames. */
  readonly malformedFrames?: number;
}

/** A step of a trained model. */
export interface PinnedModel {
  /** What answers show as their model. */
  readonly name: string;
  /** Of every answer, lower-case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Owner of the targets that an engine of this process serves. */
export const OWN = 'hone';

/** What a target answers a request that it can never honour. */
export type Refusal =
  | { readonly status: 422; readonly issues: readonly RefusalIssue[] }
  | { readonly status: 400; readonly code: 'context_length_exceeded'; readonly message: string };

/** `loc` begins with the field's name. */
export interface RefusalIssue {
  readonly loc: (string | number)[];
  readonly msg: string;
  readonly type: Issue['type'];
}

/** One model at one upstream: the port behind which every engine is. */
export interface Target {
  /** The upstream's name in the configuration. */
  readonly upstream: string;
  /** The model's name at the upstream. */
  readonly model: string;
  /** Shown as `owned_by` in the model list. */
  readonly owner: string;
  /** The trained model that it answers as, and never without its weights; absent: the model itself. */
  readonly pinned?: PinnedModel;
  /** Longest prompt and answer in tokens; null: unknown. */
  readonly contextLength: number | null;
  /** Null: nothing is said about it, so anything is tried. */
  readonly capabilities: ReadonlySet<Capability> | null;
  /** Fields of the request that it cannot honour, of those that are not set to what absence means. */
  unsupported(request: ChatRequest): readonly string[];
  /** Makes the target ready to answer: loads its weights. Absent: it always is. @throws TargetUnavailableError */
  open?(): Promise<void>;
  /** Checks what only an open target can see of a request, before anything is spent on it. Null: it can be honoured. */
  check?(request: ChatRequest): Promise<Refusal | null>;
  /** Begins an attempt. Failures come to the reader, never as exceptions. */
  dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt;
}
