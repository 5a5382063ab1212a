import { asNumber, isJsonObject, type JudgeDto, toStorableText } from '@hone/contracts';
import { tryParseJson } from '@hone/json';

import { REASON } from './judge-prompt.js';

const MAX_REASON_CHARACTERS = 4_096;
const FENCE = '```';

/** A judge's answer that has the form it was asked for. */
export interface JudgeAnswer {
  readonly reason: string;
  readonly ratings: Readonly<Record<string, number>>;
  readonly tags: readonly string[];
}

/** @returns what is wrong with the answer, as a sentence to the judge, where it does not have the form */
export function readAnswer(judge: JudgeDto, text: string): JudgeAnswer | { readonly wrong: string } {
  const value = tryParseJson(withoutFence(text.trim()));
  if (!isJsonObject(value)) return { wrong: 'The answer is not one JSON object.' };
  const ratings: Record<string, number> = {};
  for (const { name, min, max } of judge.ratings ?? []) {
    const number = typeof value[name] === 'string' ? undefined : asNumber(value[name]);
    if (number === undefined || !Number.isInteger(number) || number < min || number > max)
      return { wrong: `${JSON.stringify(name)} should be a whole number from ${min} to ${max}.` };
    ratings[name] = number;
  }
  const tags: string[] = [];
  for (const { name } of judge.tags ?? []) {
    if (typeof value[name] !== 'boolean') return { wrong: `${JSON.stringify(name)} should be true or false.` };
    if (value[name]) tags.push(name);
  }
  const reason = value[REASON];
  if (typeof reason !== 'string') return { wrong: `"${REASON}" should be a text.` };
  return { reason: toStorableText(reason.slice(0, MAX_REASON_CHARACTERS)), ratings, tags };
}

/** JSON within a fence of Markdown is what models write that were asked for JSON alone. */
function withoutFence(text: string): string {
  const start = text.startsWith(FENCE) && text.endsWith(FENCE) ? text.indexOf('\n') : -1;
  return start === -1 ? text : text.slice(start, -FENCE.length);
}
