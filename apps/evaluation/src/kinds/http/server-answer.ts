import { asNumber, type HttpScorerDto, isJsonObject, toStorableText } from '@hone/contracts';
import { tryParseJson } from '@hone/json';

import { type Outcome, verdict, withoutVerdict } from '../scorer-kind.js';

const MAX_REASON_CHARACTERS = 4_096;
/** Why a server skips a call: a code, as Hone's own are. */
const CODE = /^[a-z][a-z0-9_]{0,63}$/;
const NONSENSE = withoutVerdict('failed', 'server_answered_nonsense');

/**
 * What a server found: `{ratings: {name: number}, tags: [name], reason}`, or `{skipped: code}`. Names that the scorer does not
 * have are left out; a rating that is missing, no number or beyond its scale makes the whole no verdict.
 */
export function readServerAnswer(scorer: HttpScorerDto, text: string): Outcome {
  const value = tryParseJson(text);
  if (!isJsonObject(value)) return NONSENSE;
  const { skipped, reason = null } = value;
  if (skipped !== undefined && skipped !== null)
    return typeof skipped === 'string' && CODE.test(skipped) ? withoutVerdict('skipped', skipped) : NONSENSE;
  const found = isJsonObject(value['ratings']) ? value['ratings'] : {};
  const ratings = (scorer.ratings ?? []).map(({ name, min, max }) => {
    const given = Object.hasOwn(found, name) ? found[name] : undefined;
    const number = typeof given === 'string' ? undefined : asNumber(given);
    const isWithin = number !== undefined && number >= (min ?? -Infinity) && number <= (max ?? Infinity);
    return isWithin ? { name, value: number, scale: scaleOf(min, max), spread: null } : null;
  });
  const tags = value['tags'] ?? [];
  if (!ratings.every((rating) => rating !== null) || !Array.isArray(tags)) return NONSENSE;
  if (reason !== null && typeof reason !== 'string') return NONSENSE;
  return verdict({
    ratings,
    tags: (scorer.tags ?? []).filter((name) => tags.includes(name)),
    reason: reason && toStorableText(reason.slice(0, MAX_REASON_CHARACTERS)),
  });
}

/** Least and largest number, both included; null: any number. */
export const scaleOf = (min: number | null | undefined, max: number | null | undefined) =>
  (min ?? null) === null || (max ?? null) === null ? null : ([min as number, max as number] as const);
