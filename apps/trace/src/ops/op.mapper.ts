import type { JsonObject } from '@hone/contracts';

import type { TypedKind, VersionHead } from '../typed-objects/typed-kind.js';
import { OpNotFoundError } from './op.errors.js';

export interface OpVersion extends VersionHead {
  code: string;
}

export const OP: TypedKind<OpVersion> = {
  noun: 'op',
  only: { kind: 'op' },
  notFound: OpNotFoundError,
  toVersion: ({ head, sourceCode }) => ({ ...head, code: sourceCode }),
};

/** The value under which an op is stored, but for its files: the form that SDKs read. */
export const OP_VAL: JsonObject = { _type: 'CustomWeaveType', weave_type: { type: 'Op' } };
