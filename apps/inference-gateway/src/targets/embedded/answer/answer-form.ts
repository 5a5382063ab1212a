import { randomBytes } from 'node:crypto';

import type { ChoiceEnd } from '@hone/engine';

import type { AnswerHead } from './answer-head.js';
import type { TokenNames } from './token-names.js';

/** Format of one answer. */
export interface AnswerForm {
  readonly head: AnswerHead;
  readonly choices: number;
  /** `role` of the message. */
  readonly role: string;
  /** Text that each choice begins with (`echo`); empty: none. */
  readonly echo: string;
  readonly names: TokenNames;
  /** False: reasoning is left out, with its log-probabilities and ids. */
  readonly showsReasoning: boolean;
  /** The caller asked for log-probabilities; false: there may be some all the same. */
  readonly showsLogprobs: boolean;
  /** `prompt_token_ids`, with `token_ids` of each choice; null: not requested. */
  readonly promptIds: readonly number[] | null;
  /** The prompt, whose texts whoever writes it before the answer needs; null: nobody does. */
  readonly echoedIds: readonly number[] | null;
  /** Ours: each choice has `prompt_token_ids` too, if requested, so that it is complete training data. */
  readonly choicesHavePrompt: boolean;
  /** The answer may have tool calls. */
  readonly mayCall: boolean;
  /** Calls are in the older notation: `function_call`. */
  readonly usesFunctions: boolean;
  readonly usageFrame: boolean;
  /** Every frame has the usage so far. */
  readonly continuousUsage: boolean;
}

/** A tool call, as on the wire. */
export interface ToolCallJson {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** `finish_reason` on the wire. */
export const finishReasonOf = ({ finishReason }: ChoiceEnd, { usesFunctions }: AnswerForm): string =>
  usesFunctions && finishReason === 'tool_calls' ? 'function_call' : finishReason;

export const newCallId = (): string => `call_${randomBytes(12).toString('hex')}`;
