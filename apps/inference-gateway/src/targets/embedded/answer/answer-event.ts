import type { PromptTokenReport, TokenReport } from '@hone/engine';

/** Tokens that an event brings along: every token of an answer comes with exactly one event. */
export interface AnswerTokens {
  readonly ids: readonly number[];
  /** One per id; null when not asked for. */
  readonly logProbabilities: readonly TokenReport[] | null;
}

/** The prompt was read; the first event. */
export interface PromptRead {
  readonly kind: 'prompt';
  readonly cachedTokens: number;
  readonly logProbabilities: readonly (PromptTokenReport | null)[] | null;
}

/** More of a choice's text, which is not empty. */
export interface TextPart extends AnswerTokens {
  readonly kind: 'text';
  readonly choice: number;
  readonly text: string;
}

/** A call, whole. */
export interface CallPart extends AnswerTokens {
  readonly kind: 'call';
  readonly choice: number;
  readonly name: string;
  /** JSON text that fits the tool's schema. */
  readonly arguments: string;
}

/** The end of a choice, with the tokens that show no more text. */
export interface ChoiceEnd extends AnswerTokens {
  readonly kind: 'finish';
  readonly choice: number;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  readonly stopReason: string | number | null;
}

export type AnswerEvent = PromptRead | TextPart | CallPart | ChoiceEnd;

/** The events of one answer, all choices together; leaving the iteration ends the work. */
export type AnswerEvents = AsyncGenerator<AnswerEvent, void, undefined>;
