import { type JsonObject, PAIRWISE_FLIPPED, type ScorerDefinitionDto, setKey } from '@hone/contracts';

import type { Outcome } from '../kinds/scorer-kind.js';

/** What a scorer found, name -> number or flag: a check's `passed` and all tags of judges are flags. */
export function valuesOf(
  { ratings, tags }: Outcome,
  { kind, llm, http, pairwise }: ScorerDefinitionDto,
): Record<string, number | boolean> {
  const values: Record<string, number | boolean> = {};
  for (const { name, value } of ratings)
    setKey(values, name, kind === 'check' && name === 'passed' ? value === 1 : value);
  const names = [
    ...(llm?.tags ?? []).map(({ name }) => name),
    ...(http?.tags ?? []),
    ...(pairwise ? [PAIRWISE_FLIPPED] : []),
  ];
  for (const name of names) setKey(values, name, tags.includes(name));
  return values;
}

/** The output of a score's call: the values, with the reason and what else there is. */
export const scoreOf = (outcome: Outcome, definition: ScorerDefinitionDto): JsonObject => ({
  ...valuesOf(outcome, definition),
  ...(outcome.reason !== null && { reason: outcome.reason }),
  ...outcome.details,
});
