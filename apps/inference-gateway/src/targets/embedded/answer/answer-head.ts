import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { CheckpointChoice } from '@hone/engine';

/** First members of all frames of an answer, and of its body. */
export interface AnswerHead {
  readonly id: string;
  readonly object: 'chat.completion' | 'chat.completion.chunk';
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string;
}

const ENGINE_PACKAGE = new URL('../../../../../../libs/engine/package.json', import.meta.url);
let engineVersion: string | null = null;

/**
 * `fp_` and 12 hexadecimal digits: with equal fingerprints a seed gives equal answers.
 *
 * @param digest of the base model's weights
 */
export function fingerprintOf(digest: string, checkpoint: CheckpointChoice | null): string {
  engineVersion ??= (JSON.parse(readFileSync(ENGINE_PACKAGE, 'utf8')) as { version: string }).version;
  const hash = createHash('sha256').update(JSON.stringify([engineVersion, digest, checkpoint?.id ?? null]));
  return `fp_${hash.digest('hex').slice(0, 12)}`;
}
