import { isWholeObject } from '../../../wire/json/json-scanner.js';
import { parseJson } from '../../../wire/json/parse-json.js';
import { readReportedError } from '../error/reported-error.js';
import type { TargetFailure } from '../../target-failure.js';
import type { TokenUsage } from '../../target.js';
import { ChoiceEnds } from '../stream/choice-ends.js';
import { isObject, readUsage } from '../stream/chunk-json.js';

/** Up to this size a body is parsed; of a larger one only its structure and its tail are checked. */
const PARSED_BYTES = 262_144;
/** Bytes at the end of a large body that are searched for its usage. */
const TAIL_BYTES = 4_096;

type Json = Record<string, unknown>;

/** A validated body. `json` is null when it was too large to parse. */
export type WholeAnswer =
  | { readonly failure: TargetFailure }
  | {
      readonly failure: null;
      readonly json: Json | null;
      readonly usage: TokenUsage | null;
      /** `finish_reason` of each choice; absent when the body was too large to parse. */
      readonly finishReasons?: readonly string[];
    };

/** @param choices `n` of the request */
export function judgeWhole(body: Buffer, choices: number): WholeAnswer {
  if (body.length > PARSED_BYTES) return judgeLarge(body);
  const json = parseJson(body);
  if (!isObject(json)) return failed('The upstream sent no JSON object.');
  if (json.error) return { failure: readReportedError(json.error) };
  const failure = judgeChoices(json.choices, choices);
  if (failure !== null) return { failure };
  const finishReasons = (json.choices as Json[]).map((choice) => choice.finish_reason as string);
  return { failure: null, json, usage: readUsage(json.usage), finishReasons };
}

function judgeChoices(list: unknown, choices: number): TargetFailure | null {
  if (!Array.isArray(list) || list.length === 0) return invalid('The upstream sent no choices.');
  const ends = new ChoiceEnds(choices);
  for (const choice of list) {
    if (!isObject(choice) || !isObject(choice.message)) return invalid('The upstream sent a choice without a message.');
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
  return ends.areAll ? null : mismatched('The upstream sent fewer choices than were asked for.');
}

/** Large bodies contain images or thousands of log-probabilities; parsing one would block the event loop. */
function judgeLarge(body: Buffer): WholeAnswer {
  const hasParts = body.includes('"choices"') && body.includes('"finish_reason"');
  if (!hasParts || !isWholeObject(body)) return failed('The upstream sent no completion.');
  const tail = body.toString('latin1', body.length - TAIL_BYTES);
  return { failure: null, json: null, usage: usageOfTail(tail) };
}

function usageOfTail(tail: string): TokenUsage | null {
  const at = tail.lastIndexOf('"usage"');
  const start = at < 0 ? -1 : tail.indexOf('{', at);
  if (start < 0) return null;
  // The object ends at one of the next closing braces.
  for (let end = tail.indexOf('}', start); end >= 0; end = tail.indexOf('}', end + 1)) {
    const json = parseJson(Buffer.from(tail.slice(start, end + 1), 'latin1'));
    if (json !== undefined) return readUsage(json);
  }
  return null;
}

const mismatched = (message: string): TargetFailure => ({ reason: 'mismatched', message });
const invalid = (message: string): TargetFailure => ({ reason: 'invalid', message });
const failed = (message: string): WholeAnswer => ({ failure: invalid(message) });
