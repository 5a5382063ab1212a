import { bytesDigest, canonicalText, contentDigest, type JsonValue, stringifyJson } from '@hone/contracts';

import { type ObjectClass, objectClassOf } from './object-class.js';

/** What is stored of a value. */
export interface ObjectContent extends ObjectClass {
  readonly digest: string;
  /** Exact compact text. */
  readonly valText: string;
  /** Bytes of the canonical text. */
  readonly sizeBytes: number;
}

/** @param refScheme of the refs that the service writes */
export function toObjectContent(val: JsonValue, refScheme: string): ObjectContent {
  const text = canonicalText(val);
  // Refs are hashed in another form than they are counted in; without one, both texts are the same.
  const hasRefs = text.includes(`"${refScheme}:///`);
  return {
    digest: hasRefs ? contentDigest(val, refScheme) : bytesDigest(text),
    ...objectClassOf(val),
    valText: stringifyJson(val),
    sizeBytes: text.length, // ASCII
  };
}
