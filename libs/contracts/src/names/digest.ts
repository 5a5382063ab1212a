import { createHash } from 'node:crypto';

import { canonicalJson, type JsonValue } from '../json/index.js';

/** Refs inside hashed text carry this scheme and an opaque project id, so that a digest does not depend on a server's own scheme. */
const INTERNAL_REF = 'weave-trace-internal:///';

/**
 * The text of a value that is hashed: that of {@link canonicalJson}.
 *
 * @param refScheme when given, string values that are refs of this scheme are written in their internal form, as hashing needs
 */
export function canonicalText(value: JsonValue, refScheme?: string): string {
  return canonicalJson(value, refScheme === undefined ? undefined : (text) => toInternalRef(text, refScheme));
}

/**
 * Content digest of a value: base64url(SHA-256(UTF-8({@link canonicalText}))) without `=`, `-` as `X`, `_` as `Y`.
 *
 * @returns 43 alphanumeric characters
 */
export function contentDigest(value: JsonValue, refScheme = 'hone'): string {
  return bytesDigest(canonicalText(value, refScheme));
}

/** The same recipe on the bytes of a file. */
export function bytesDigest(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y');
}

/** Digest of a table: hex SHA-256 of its joined row digests. */
export function tableDigest(rowDigests: string[]): string {
  return createHash('sha256').update(rowDigests.join('')).digest('hex');
}

function toInternalRef(text: string, scheme: string): string {
  const prefix = `${scheme}:///`;
  if (!text.startsWith(prefix)) return text;
  const match = /^([^/]+\/[^/]+)\/(.+)$/s.exec(text.slice(prefix.length));
  return match ? `${INTERNAL_REF}${Buffer.from(match[1] as string).toString('base64url')}/${match[2]}` : text;
}
