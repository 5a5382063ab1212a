import { type JsonObject, RESERVED_MODEL_KEYS, setKey } from '@hone/contracts';
import { MODEL_CLASS } from '@hone/objects/content';

import type { StoredVal, TypedKind } from '../typed-objects/typed-kind.js';
import { ModelNotFoundError } from './model.errors.js';

export const MODEL: TypedKind = {
  noun: 'model',
  only: { kind: 'object', baseObjectClass: MODEL_CLASS },
  notFound: ModelNotFoundError,
  sourceField: 'source_code',
  toFields: (val) => ({ attributes: attributesOf(val) }),
};

function attributesOf(val: StoredVal): JsonObject {
  const attributes = {};
  for (const key of Object.keys(val)) if (!RESERVED_MODEL_KEYS.includes(key)) setKey(attributes, key, val[key]);
  return attributes;
}
