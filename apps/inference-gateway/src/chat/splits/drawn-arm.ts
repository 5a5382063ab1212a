import { createHash } from 'node:crypto';

import { PRODUCTION_ARM, SPLIT_PARTS } from '@hone/contracts';

import type { AliasSplit } from '../../catalogue/trained/trained-model.js';

/** Bytes of a digest that become a number below 1. */
const HASH_BYTES = 6;
const HASHES = 2 ** (8 * HASH_BYTES);

/** Which arm of a split answers a request. */
export interface DrawnArm {
  readonly split: AliasSplit;
  /** Its name. */
  readonly arm: string;
  /** The arm that was drawn, in whose place production answers because its model is not there. Null: it is there. */
  readonly unresolved: string | null;
}

/** A request that a shadow answers a second time. */
export interface ShadowedRequest {
  /** Of its usage record. */
  readonly uid: string;
  /** Id of its call. */
  readonly callId: string;
}

/**
 * Draws the arm of a thread: always the same one, on every replica.
 *
 * @returns null: production
 */
export function drawArm({ id, ranges, arms }: AliasSplit, thread: string): AliasSplit['arms'][number] | null {
  const part = Math.floor(hashOf(id, thread) * SPLIT_PARTS);
  const range = ranges.find(({ from, to }) => part >= from && part < to);
  return arms.find(({ name }) => name === range?.arm) ?? null;
}

/** Whether a request that production answers is also answered by the shadow of its split. @param rid id of the request */
export const isShadowed = ({ id, shadow }: AliasSplit, rid: string): boolean =>
  shadow !== null && hashOf(id, 'shadow', rid) < shadow.share;

/** The arm in the headers of an answer. */
export const armHeader = (drawn: DrawnArm | null): Readonly<Record<string, string>> | null =>
  drawn && { 'hone-arm': drawn.arm };

/** What the call says, as JSON. @param shadowed the request that it repeats; null: none */
export function noteOf(
  { split: { id, alias, version }, arm, unresolved }: DrawnArm,
  shadowed: ShadowedRequest | null = null,
): string {
  const note = { id, alias, version, arm };
  return JSON.stringify({
    ...note,
    ...(unresolved !== null && { unresolved }),
    ...(shadowed !== null && { shadow_of: shadowed.callId }),
  });
}

export const ofProduction = (split: AliasSplit, unresolved: string | null = null): DrawnArm => ({
  split,
  arm: PRODUCTION_ARM,
  unresolved,
});

/** A number from 0 to below 1. */
function hashOf(...texts: string[]): number {
  const hash = createHash('sha256').update(texts.join('\n')).digest();
  return hash.readUIntBE(0, HASH_BYTES) / HASHES;
}
