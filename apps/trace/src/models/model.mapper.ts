import {
  type JsonObject,
  type ModelCreateDto,
  RawJson,
  RESERVED_MODEL_KEYS,
  setKey,
  stringifyJson,
} from '@hone/contracts';

import { classKeys } from '../objects/typed-object.js';
import type { TypedKind, TypedVersionParts, VersionHead } from '../typed-objects/typed-kind.js';
import { ModelNotFoundError } from './model.errors.js';

const MODEL_CLASS = 'Model';

export interface ModelVersion extends VersionHead {
  source_code: string;
  attributes: RawJson;
}

export const MODEL: TypedKind<ModelVersion> = {
  noun: 'model',
  only: { kind: 'object', baseObjectClass: MODEL_CLASS },
  notFound: ModelNotFoundError,
  toVersion: ({ head, val, sourceCode }) => ({
    ...head,
    source_code: sourceCode,
    attributes: new RawJson(stringifyJson(attributesOf(val))),
  }),
};

/** The value under which a model is stored, but for its files. */
export function toModelVal(body: ModelCreateDto): JsonObject {
  const val: JsonObject = { ...classKeys(MODEL_CLASS), name: body.name, description: body.description ?? null };
  for (const [key, value] of Object.entries(body.attributes ?? {})) setKey(val, key, value);
  return val;
}

function attributesOf(val: TypedVersionParts['val']): JsonObject {
  const attributes = {};
  for (const key of Object.keys(val)) if (!RESERVED_MODEL_KEYS.includes(key)) setKey(attributes, key, val[key]);
  return attributes;
}
