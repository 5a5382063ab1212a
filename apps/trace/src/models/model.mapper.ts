import { type JsonObject, type ModelCreateDto, RESERVED_MODEL_KEYS, setKey } from '@hone/contracts';

import { classKeys } from '../objects/typed-object.js';
import type { StoredVal, TypedKind } from '../typed-objects/typed-kind.js';
import { ModelNotFoundError } from './model.errors.js';

const MODEL_CLASS = 'Model';

export const MODEL: TypedKind = {
  noun: 'model',
  only: { kind: 'object', baseObjectClass: MODEL_CLASS },
  notFound: ModelNotFoundError,
  sourceField: 'source_code',
  toFields: (val) => ({ attributes: attributesOf(val) }),
};

/** The value under which a model is stored, but for its files. */
export function toModelVal(body: ModelCreateDto): JsonObject {
  const val: JsonObject = { ...classKeys(MODEL_CLASS), name: body.name, description: body.description ?? null };
  for (const [key, value] of Object.entries(body.attributes ?? {})) setKey(val, key, value);
  return val;
}

function attributesOf(val: StoredVal): JsonObject {
  const attributes = {};
  for (const key of Object.keys(val)) if (!RESERVED_MODEL_KEYS.includes(key)) setKey(attributes, key, val[key]);
  return attributes;
}
