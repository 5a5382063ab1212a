import { type ChoiceLogprobs, idsOfTokenTexts, logprobsOf } from './choice-logprobs.js';
import type { Findings } from './findings.js';
import type { PlacedChoice } from './placed-choice.js';
import type { PlanLoc } from './plan.errors.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import { rendered, renderedAnswer } from './rendered.js';

/** Largest log-probability that is accepted: a probability of 1 may come with a rounding error. */
const MAX_LOGPROB = 1e-3;

export interface ReadingRules {
  readonly tokenizer: PlanningTokenizer;
  /** Train Choices without log-probabilities too, as if the trained policy had sampled them. */
  readonly allowWithoutLogprobs: boolean;
}

/** Prompt and completion as token ids. `logprobs` belong to `completion`; NaN: unknown. */
export interface ChoiceTokens {
  readonly prompt: readonly number[];
  readonly completion: readonly number[];
  readonly logprobs: readonly number[];
}

/**
 * Tokens of a Choice; null when it is context only, or when something is wrong with it (added to `findings`).
 * Ids come from the Choice itself where it has them, and from the chat template where it may.
 */
export function readChoice(placed: PlacedChoice, rules: ReadingRules, findings: Findings): ChoiceTokens | null {
  const logprobs = logprobsOf(placed.choice);
  if (!logprobs && !rules.allowWithoutLogprobs) return null;
  const completion = completionIds(placed, logprobs, rules, findings);
  const prompt =
    listOrNull(placed.choice.prompt_token_ids) ?? (completion && rendered(placed, rules.tokenizer, findings));
  if (!completion || !prompt) return null;
  const inVocabulary = [
    areTokenIds(prompt, [...placed.loc, 'prompt_token_ids'], rules.tokenizer, findings),
    areTokenIds(completion, [...placed.loc, 'token_ids'], rules.tokenizer, findings),
  ];
  const values = logprobs
    ? logprobValues(logprobs, completion.length, placed.loc, findings)
    : completion.map(() => NaN);
  if (!values || inVocabulary.includes(false)) return null;
  return { prompt: prompt as number[], completion: completion as number[], logprobs: values };
}

function completionIds(
  placed: PlacedChoice,
  logprobs: ChoiceLogprobs | null,
  { tokenizer }: ReadingRules,
  findings: Findings,
): readonly unknown[] | null {
  const ids = listOrNull(placed.choice.token_ids) ?? (logprobs && idsOfTokenTexts(logprobs));
  if (ids) return ids;
  if (!logprobs) return renderedAnswer(placed, tokenizer, findings);
  findings.add('data.token_ids_missing', placed.loc, 'no token_ids');
  return null;
}

const listOrNull = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);

function areTokenIds(
  ids: readonly unknown[],
  loc: PlanLoc,
  { vocabSize }: PlanningTokenizer,
  findings: Findings,
): boolean {
  const at = ids.findIndex((id) => !(Number.isInteger(id) && (id as number) >= 0 && (id as number) < vocabSize));
  if (at < 0) return true;
  findings.add('data.token_out_of_vocab', [...loc, at], `${shown(ids[at])}, with a vocabulary of ${vocabSize},`);
  return false;
}

function logprobValues(
  { field, entries }: ChoiceLogprobs,
  numIds: number,
  loc: PlanLoc,
  findings: Findings,
): number[] | null {
  if (entries.length !== numIds) {
    findings.add('data.logprob_length_mismatch', loc, `${entries.length} logprobs for ${numIds} token ids`);
    return null;
  }
  const values = entries.map((entry) => entry?.logprob);
  const at = values.findIndex((value) => !(typeof value === 'number' && value <= MAX_LOGPROB && value > -Infinity));
  if (at < 0) return values as number[];
  findings.add('data.logprob_invalid', [...loc, 'logprobs', field, at, 'logprob'], shown(values[at]));
  return null;
}

/** Shows numbers only: errors do not echo anything else that a client sent. */
const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : 'not a number');
