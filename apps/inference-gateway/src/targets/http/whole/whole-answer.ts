import { isUtf8 } from 'node:buffer';

import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import type { TokenUsage } from '../../target.js';
import type { TargetFailure } from '../../target-failure.js';
import { readReportedError } from '../error/reported-error.js';
import { ChoiceEnds } from '../stream/choice-ends.js';
import { readUsage } from '../stream/chunk-json.js';

type Json = Record<string, unknown>;

/** A validated body. */
export type WholeAnswer =
  | { readonly failure: TargetFailure }
  | {
      readonly failure: null;
      /** Of a body that was read in parts, only what the gateway reads of it. */
      readonly json: Json;
      readonly usage: TokenUsage | null;
      /** `finish_reason` of each choice. */
      readonly finishReasons: readonly string[];
    };

/** Where a choice has its answer: a chat completion in a message, a completion in a text. */
export type AnswerMember = 'message' | 'text';

/** @param choices `n` of the request */
export function judgeWhole(body: Buffer, choices: number, member: AnswerMember = 'message'): WholeAnswer {
  return judgeJson(isUtf8(body) ? parsePlainJson(body) : undefined, choices, member);
}

/** @param json the parsed body, or the members of it that this function reads */
export function judgeJson(json: unknown, choices: number, member: AnswerMember = 'message'): WholeAnswer {
  if (!isJsonObject(json)) return { failure: invalid('The upstream sent no JSON object.') };
  if (json.error) return { failure: readReportedError(json.error) };
  const failure = judgeChoices(json.choices, choices, member);
  if (failure !== null) return { failure };
  const finishReasons = (json.choices as Json[]).map((choice) => choice.finish_reason as string);
  return { failure: null, json, usage: readUsage(json.usage), finishReasons };
}

function judgeChoices(list: unknown, choices: number, member: AnswerMember): TargetFailure | null {
  if (!Array.isArray(list) || list.length === 0) return invalid('The upstream sent no choices.');
  const ends = new ChoiceEnds(choices);
  for (const choice of list) {
    if (!isJsonObject(choice) || !IS_ANSWER[member](choice[member]))
      return invalid(`The upstream sent a choice without a ${member}.`);
    const { index = 0, finish_reason: finishReason } = choice;
    if (finishReason === 'error' || finishReason === 'abort') {
      return { reason: 'reported', message: 'The upstream gave up on its answer.' };
    }
    if (typeof finishReason !== 'string' || finishReason === '') {
      return { reason: 'interrupted', message: 'The answer ended before it was finished.' };
    }
    if (!ends.end(index as number, finishReason)) {
      return mismatched('The upstream sent a choice that was not asked for.');
    }
  }
  if (ends.areAll) return null;
  return {
    ...mismatched('The upstream sent fewer choices than were asked for.'),
    ...(list.length === 1 && ONE_CHOICE),
  };
}

const IS_ANSWER = { message: isJsonObject, text: (value: unknown) => typeof value === 'string' };

const ONE_CHOICE = { hasOneChoice: true };
const mismatched = (message: string): TargetFailure => ({ reason: 'mismatched', message });
const invalid = (message: string): TargetFailure => ({ reason: 'invalid', message });
