import { isJsonObject, type JsonObject, type ScorerCreateDto } from '@hone/contracts';
import { classKeys } from '@hone/objects/content';

import { textOrNull, type TypedKind } from '../typed-objects/typed-kind.js';
import { ScorerNotFoundError } from './scorer.errors.js';

const SCORER_CLASS = 'Scorer';

export const SCORER: TypedKind = {
  noun: 'scorer',
  only: { kind: 'object', baseObjectClass: SCORER_CLASS },
  notFound: ScorerNotFoundError,
  sourceField: 'op_source_code',
  // The key under which SDKs store the method of a scorer.
  toFields: (val) => ({
    score_op: textOrNull(val['score']),
    definition: isJsonObject(val['definition']) ? val['definition'] : null,
  }),
};

/** The value under which a scorer is stored, but for its files. */
export const toScorerVal = ({ name, description, definition }: ScorerCreateDto): JsonObject => ({
  ...classKeys(SCORER_CLASS),
  name,
  description: description ?? null,
  ...(definition && { definition: definition as unknown as JsonObject }),
});
