import type { PromptTokenReport, TokenReport } from '../decode/batch/generation-event.js';

/** Tokens of an event: every token of an answer belongs to exactly one event. */
export interface AnswerTokens {
  readonly ids: readonly number[];
  /** A report for each id; null: none was requested. */
  readonly logProbabilities: readonly TokenReport[] | null;
}

/** Prefill is done; the first event of an answer. */
export interface PromptRead {
  readonly kind: 'prompt';
  readonly cachedTokens: number;
  readonly logProbabilities: readonly (PromptTokenReport | null)[] | null;
}

/** More text of a choice; never empty. */
export interface TextPart extends AnswerTokens {
  readonly kind: 'text';
  readonly choice: number;
  readonly text: string;
}

/** More of what the model thinks before it answers; never empty. */
export interface ReasoningPart extends AnswerTokens {
  readonly kind: 'reasoning';
  readonly choice: number;
  readonly text: string;
}

/** A tool call begins: the model has written its name. */
export interface CallStart extends AnswerTokens {
  readonly kind: 'call';
  readonly choice: number;
  readonly name: string;
}

/** More of the arguments of the call that began last; never empty. */
export interface ArgumentsPart extends AnswerTokens {
  readonly kind: 'arguments';
  readonly choice: number;
  readonly text: string;
}

/** The last call is complete: its arguments are JSON text that fits the tool's schema. It has no tokens. */
export interface CallEnd extends AnswerTokens {
  readonly kind: 'call_end';
  readonly choice: number;
}

/** The end of a choice, with its last tokens, which have no text. */
export interface ChoiceEnd extends AnswerTokens {
  readonly kind: 'finish';
  readonly choice: number;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  readonly stopReason: string | number | null;
}

export type AnswerEvent = PromptRead | TextPart | ReasoningPart | CallStart | ArgumentsPart | CallEnd | ChoiceEnd;

/** The events of one answer, all choices together; a caller that leaves the iteration cancels the generation. */
export type AnswerEvents = AsyncGenerator<AnswerEvent, void, undefined>;
