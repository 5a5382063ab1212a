import type { JsonObject } from '@hone/contracts';

import type { TypedKind } from '../typed-objects/typed-kind.js';
import { OpNotFoundError } from './op.errors.js';

export const OP: TypedKind = {
  noun: 'op',
  only: { kind: 'op' },
  notFound: OpNotFoundError,
  sourceField: 'code',
  toFields: () => ({}),
};

/** The value under which an op is stored, but for its files: the form that SDKs read. */
export const OP_VAL: JsonObject = { _type: 'CustomWeaveType', weave_type: { type: 'Op' } };
