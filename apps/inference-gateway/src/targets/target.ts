import type { Capability, Issue } from '@hone/contracts';

import type { Endpoint } from '../shared/endpoint.js';
import type { KeptTokens } from '../shared/kept-tokens.js';
import type { MediaRequest } from '../shared/media-request.js';
import type { PromptSize } from './prompt-size.js';
import type { TargetFailure } from './target-failure.js';

/** A validated request, in the form that every target receives: a chat completion, unless its endpoint is another. */
export interface ChatRequest {
  /** Id of the request; the answer's `id` is `chatcmpl-<rid>`. */
  readonly rid: string;
  readonly endpoint: Endpoint;
  /** The caller's JSON, inflated: a valid object without duplicate top-level keys. */
  readonly body: Buffer;
  /** The parsed body with the `overrides`. Integers beyond 2^53 lose digits here, but not in `body`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields (JSON values) that replace those of the caller. */
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly isStream: boolean;
  /** For estimates of its tokens. */
  readonly promptSize: PromptSize;
  /** `n`: number of choices of the answer. */
  readonly choices: number;
  /** The caller requests a usage frame at the end of the stream. */
  readonly wantsUsageFrame: boolean;
  /** A target of trained weights returns the {@link KeptTokens} of its answer, which looks as without. Absent: false. */
  readonly keepsTokens?: boolean;
  /** Headers that are forwarded to upstreams, lower-case, beside the usual ones. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its answer is to be in the form of this endpoint. Absent: of its own. */
  readonly answersAs?: Endpoint;
  /** Its answer says that it continues the one with this id, of which the target knows nothing. Absent: it continues none. */
  readonly continues?: string | undefined;
  /** Images or audio are in it, or asked for. Absent: neither. */
  readonly media?: MediaRequest | undefined;
  /** The same in the form of the door that it came through, for targets that speak it. Absent: there is no other form. */
  readonly native?: ChatRequest | undefined;
}

/** Time limits of one attempt. The embedded engine has a heartbeat instead. */
export interface AttemptLimits {
  /** Streams: from dispatch to the first answer frame. */
  readonly ttftMs: number;
  /** Other answers: from dispatch to the headers. */
  readonly responseMs: number;
  /** Gap between parts of an answer: frames after the first answer frame, or bytes of a body. */
  readonly stallMs: number;
  /** Silence after all choices have finished that counts as the end. */
  readonly doneGraceMs: number;
}

/** One attempt of a request at one target. */
export interface Attempt {
  readonly request: ChatRequest;
  /** 1 for the first attempt of the request, at any target. */
  readonly number: number;
  /** Headers for the upstream, lower-case; they take precedence over those of the request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly limits: AttemptLimits;
}

export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Included in the prompt's tokens. */
  readonly cachedTokens: number;
  /** Written into a cache; included in the prompt's tokens. Absent: 0. */
  readonly cacheWriteTokens?: number;
  /** Included in the completion's tokens. */
  readonly reasoningTokens: number;
  /** Images, characters that were spoken, or milliseconds of audio that were written down. Absent: none of these. */
  readonly units?: number;
  readonly source: 'upstream' | 'engine' | 'estimated';
}

/** Format flaws of a complete answer, counted by a metric. */
export type Oddity = 'malformed_frame' | 'done_missing' | 'not_streamed';

/** An answer that is known to be complete. */
export interface CompleteAnswer {
  /** A stream's last frames with `[DONE]`, held back until the answer is complete; otherwise the whole body. */
  readonly bytes: Buffer;
  readonly usage: TokenUsage;
  readonly oddities: readonly Oddity[];
  /** `finish_reason` of each choice, in order; absent: unknown. */
  readonly finishReasons?: readonly string[];
  /** Absent or null: not asked for, or the target does not return all of them. */
  readonly tokens?: KeptTokens | null;
  /** Media type of the bytes. Absent: JSON, or the frames of a stream. */
  readonly contentType?: string;
  /** JSON that the call keeps in place of the bytes. Absent: the bytes. */
  readonly toKept?: () => Buffer;
}

/**
 * Receives the answer of an attempt. Calls come in order, never before `dispatch` has returned, and never after
 * `onComplete`, `onFailure` or an abort.
 */
export interface AnswerReader {
  /**
   * Complete frames of a stream, in the form for the caller. `[DONE]` and the frame that finishes the last choice are
   * held back: an answer that turns out broken must not look finished.
   *
   * @param hasAnswer at least one frame has text, a call, or the end of a choice
   * @param contentType of bytes that are no frames; absent: they are
   */
  onFrames(bytes: Buffer, hasAnswer: boolean, contentType?: string): void;
  onComplete(answer: CompleteAnswer): void;
  /** The attempt failed; earlier frames are no complete answer. */
  onFailure(failure: TargetFailure): void;
}

/** A running attempt. */
export interface RunningAttempt {
  /** Backpressure of a slow caller: reading and time limits stop until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends the attempt at once, with its connection or generation. */
  abort(): void;
  /** Tokens of the prompt and of the answer so far. */
  produced(): TokenUsage;
  /** Malformed frames that were dropped; absent: the answer has no frames. */
  readonly malformedFrames?: number;
}

/** A trained model at one step. */
export interface PinnedModel {
  /** `model` of answers. */
  readonly name: string;
  /** Headers of every answer, lower-case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Owner of targets that the engine of this process serves. */
export const OWN = 'hone';

/** Why a target can never honour a request. */
export type Refusal =
  | { readonly status: 422; readonly issues: readonly RefusalIssue[] }
  /** `param`: the field that is too long; absent: `messages`. */
  | {
      readonly status: 400;
      readonly code: 'context_length_exceeded';
      readonly message: string;
      readonly param?: string;
    };

/** `loc` begins with the field's name. */
export interface RefusalIssue {
  readonly loc: (string | number)[];
  readonly msg: string;
  readonly type: Issue['type'];
}

/** One model at one upstream: the port (interface) that every engine implements. */
export interface Target {
  /** The upstream's name in the configuration. */
  readonly upstream: string;
  /** The model's name at the upstream. */
  readonly model: string;
  /** `owned_by` in the model list. */
  readonly owner: string;
  /** The trained model whose weights it serves; absent: the model itself. */
  readonly pinned?: PinnedModel;
  /** Prompt and answer together, in tokens; null: unknown. */
  readonly contextLength: number | null;
  /** What it answers. Absent: chat completions alone. */
  readonly endpoints?: ReadonlySet<Endpoint>;
  /** Most choices of one answer; a request for more chats is sent once for each. Absent: any number. */
  readonly maxChoices?: 1;
  /** Null: unknown, so every request is tried. */
  readonly capabilities: ReadonlySet<Capability> | null;
  /** It is known to read images. Absent: nobody says so. */
  readonly readsImages?: boolean;
  /** False: its next request waits until its weights are loaded, so others are preferred. Absent: always true. */
  readonly isReady?: boolean;
  /** Fields that it cannot honour and whose values differ from their defaults. */
  unsupported(request: ChatRequest): readonly string[];
  /** Loads the weights. Absent: the target is always ready. @throws TargetUnavailableError */
  open?(): Promise<void>;
  /** Loads the weights ahead of requests, which can go there without it. @throws TargetUnavailableError */
  preload?(): Promise<void>;
  /** Validates what only an open target can, before limits are reserved. Null: it can honour the request. */
  check?(request: ChatRequest): Promise<Refusal | null>;
  /** What its answer to a checked request leaves out of what was asked for, a sentence each. Absent: nothing. */
  warnings?(request: ChatRequest): readonly string[];
  /** Tokens of the prompt, also of one that is too long for it; counted where that costs no generation, else estimated. */
  countTokens(request: ChatRequest): Promise<number | Refusal>;
  /** Begins an attempt. Failures go to the reader, never as exceptions. */
  dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt;
}
