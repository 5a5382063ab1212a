import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelCreateDto,
  RawJson,
  RESERVED_MODEL_KEYS,
  setKey,
  stringifyJson,
} from '@hone/contracts';

import type { ObjectVersionRecord } from '../objects/object.record.js';
import { classKeys } from '../objects/typed-object.js';

export const MODEL_CLASS = 'Model';
/** The file that holds a model's source code. */
export const SOURCE_FILE = 'obj.py';

/** The value under which a model is stored. */
export function toModelVal(body: ModelCreateDto, sourceDigest: string): JsonObject {
  const val: JsonObject = {
    ...classKeys(MODEL_CLASS),
    name: body.name,
    description: body.description ?? null,
    files: { [SOURCE_FILE]: sourceDigest },
  };
  for (const [key, value] of Object.entries(body.attributes ?? {})) setKey(val, key, value);
  return val;
}

/** Digest of a model's source file; undefined when it has none. */
export function sourceDigestOf(val: JsonValue): string | undefined {
  const files = isJsonObject(val) ? val['files'] : undefined;
  const digest = isJsonObject(files) ? files[SOURCE_FILE] : undefined;
  return typeof digest === 'string' ? digest : undefined;
}

export function toModelVersion(version: ObjectVersionRecord, val: JsonValue, sourceCode: string) {
  const { name, description } = isJsonObject(val) ? val : {};
  return {
    object_id: version.objectId,
    digest: version.digest,
    version_index: version.versionIndex,
    created_at: version.createdAt.toISOString(),
    name: typeof name === 'string' ? name : version.objectId,
    source_code: sourceCode,
    description: typeof description === 'string' ? description : null,
    attributes: new RawJson(stringifyJson(attributesOf(val))),
  };
}

export type ModelVersion = ReturnType<typeof toModelVersion>;

function attributesOf(val: JsonValue): JsonObject {
  const attributes = {};
  if (!isJsonObject(val)) return attributes;
  for (const key of Object.keys(val)) if (!RESERVED_MODEL_KEYS.includes(key)) setKey(attributes, key, val[key]);
  return attributes;
}
