import type { JsonObject, ScorerCreateDto } from '@hone/contracts';

import { classKeys } from '../objects/typed-object.js';
import { textOrNull, type TypedKind, type VersionHead } from '../typed-objects/typed-kind.js';
import { ScorerNotFoundError } from './scorer.errors.js';

const SCORER_CLASS = 'Scorer';

export interface ScorerVersion extends VersionHead {
  op_source_code: string;
  score_op: string | null;
}

export const SCORER: TypedKind<ScorerVersion> = {
  noun: 'scorer',
  only: { kind: 'object', baseObjectClass: SCORER_CLASS },
  notFound: ScorerNotFoundError,
  toVersion: ({ head, val, sourceCode }) => ({
    ...head,
    op_source_code: sourceCode,
    // The key under which SDKs store the method of a scorer.
    score_op: textOrNull(val['score']),
  }),
};

/** The value under which a scorer is stored, but for its files. */
export const toScorerVal = ({ name, description }: ScorerCreateDto): JsonObject => ({
  ...classKeys(SCORER_CLASS),
  name,
  description: description ?? null,
});
