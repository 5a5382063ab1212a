import { asNumber, isJsonObject, type JsonValue, type JudgeDto, type JudgeRatingDto, memberOf } from '@hone/contracts';

/** Numbers of these are one character, so that a token begins none but its own. */
const DIGITS = { min: 0, max: 9 } as const;

interface Token {
  readonly text: string;
  /** What else could have stood here, itself among it: text -> probability. */
  readonly alternatives: readonly (readonly [text: string, probability: number])[];
}

/**
 * Ratings as the mean over their scales, weighted by how likely the judge holds each number: of verdicts that are all alike,
 * it tells which the judge was less sure of (G-Eval, Liu et al. 2023, section 2). A rating is left out where the tokens do
 * not say it: its scale goes beyond 0 to 9, or the server gave no log-probabilities.
 *
 * @param content the answer, which has its form
 * @param logprobs of the answer, as chat completions have them
 */
export function expectedRatings(judge: JudgeDto, content: string, logprobs: JsonValue): Record<string, number> {
  const tokens = tokensOf(logprobs);
  // Some servers list the token that ends an answer, too.
  if (
    !tokens
      .map(({ text }) => text)
      .join('')
      .startsWith(content)
  )
    return {};
  const found = (judge.ratings ?? []).flatMap((rating) => {
    const expected = expectedIn(tokens, content, rating);
    return expected === null ? [] : [[rating.name, expected] as const];
  });
  return Object.fromEntries(found);
}

function expectedIn(tokens: readonly Token[], content: string, { name, min, max }: JudgeRatingDto): number | null {
  if (min < DIGITS.min || max > DIGITS.max) return null;
  const at = digitOf(content, name);
  if (at === null) return null;
  let start = 0;
  const token = tokens.find(({ text }) => (start += text.length) > at);
  if (!token) return null;
  const before = token.text.slice(0, at - (start - token.text.length));
  const after = token.text.slice(before.length + 1);
  let [mass, sum] = [0, 0];
  for (const [text, probability] of token.alternatives) {
    const number = Number(text.slice(before.length, before.length + 1));
    const isOther = !text.startsWith(before) || text.slice(before.length + 1) !== after;
    if (isOther || !/^\d/.test(text.slice(before.length)) || number < min || number > max) continue;
    mass += probability;
    sum += probability * number;
  }
  // A mean of numbers that are all alike may lie a last digit beyond them.
  return mass > 0 ? Math.min(max, Math.max(min, sum / mass)) : null;
}

/** Where the number of a member stands in the answer. The reason, which may say anything, comes before it. */
function digitOf(content: string, name: string): number | null {
  const key = JSON.stringify(name);
  const keyAt = content.lastIndexOf(key);
  if (keyAt === -1) return null;
  const [before, digit] = /^\s*:\s*(\d)(?!\d)/.exec(content.slice(keyAt + key.length)) ?? [];
  return before === undefined || digit === undefined ? null : keyAt + key.length + before.length - 1;
}

function tokensOf(logprobs: JsonValue): Token[] {
  const list = memberOf(logprobs, 'content');
  return Array.isArray(list) ? list.filter(isJsonObject).map(toToken) : [];
}

function toToken(value: JsonValue): Token {
  const others = memberOf(value, 'top_logprobs');
  return {
    text: textOf(value),
    alternatives: (Array.isArray(others) ? others : []).map((one) => [
      textOf(one),
      Math.exp(asNumber(memberOf(one, 'logprob')) ?? -Infinity),
    ]),
  };
}

function textOf(value: JsonValue): string {
  const text = memberOf(value, 'token');
  return typeof text === 'string' ? text : '';
}
