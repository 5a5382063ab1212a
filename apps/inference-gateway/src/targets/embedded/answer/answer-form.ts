import { randomBytes } from 'node:crypto';

import type { CallPart } from '@hone/engine';

import type { AnswerHead } from './answer-head.js';
import type { TokenNames } from './token-names.js';

/** What an answer shows, and how. */
export interface AnswerForm {
  readonly head: AnswerHead;
  readonly choices: number;
  /** Who answers. */
  readonly role: string;
  /** What each choice begins with before the model has said anything; empty: nothing. */
  readonly echo: string;
  readonly names: TokenNames;
  /** Shown as `prompt_token_ids` and each choice's `token_ids`; null: not asked for. */
  readonly promptIds: readonly number[] | null;
  /** Ours: each choice has `prompt_token_ids` too, if they are asked for, so that it can be trained on by itself. */
  readonly choicesHavePrompt: boolean;
  readonly usageFrame: boolean;
  /** Usage so far in every frame. */
  readonly continuousUsage: boolean;
}

/** A call as answers hold it. */
export interface ToolCallJson {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** @param call whole, its arguments JSON */
export function toToolCall({ name, arguments: args }: CallPart): ToolCallJson {
  return { id: `call_${randomBytes(12).toString('hex')}`, type: 'function', function: { name, arguments: args } };
}
