import type { ValueColumn } from '@hone/call-queries';
import type { EvaluationCallKind } from '@hone/calls';
import { isJsonObject, type JsonObject, type JsonValue, memberOf, parseJson } from '@hone/contracts';

import type { CallRow } from '../calls/reads/call-row.js';
import type { CallTexts } from '../calls/reads/call-writer.js';

/** What calls of a kind have under the key `hone` of their attributes. */
export type HoneAttributes = Readonly<Record<string, JsonValue | undefined>>;

/** A call of a kind, as it is stored. */
export interface TrackedCall {
  row: CallRow;
  /** Its attributes under the key `hone`. */
  hone: HoneAttributes;
  texts: CallTexts;
}

/** A kind of calls that have endpoints of their own: how they are told from others, and how they read. */
export interface TrackedKind extends EvaluationCallKind {
  readonly noun: string;
  /** Values that the answer is made of, beside the attributes. */
  readonly columns: readonly ValueColumn[];
  readonly toAnswer: (call: TrackedCall) => object;
}

/** The part of attributes that the server writes. @param text exact text of the attributes */
export function honeAttributes(text: string | null | undefined): HoneAttributes {
  const hone = memberOf(text ? parseJson(text) : null, 'hone');
  return isJsonObject(hone) ? hone : ({} as JsonObject);
}

/** A text of the server's attributes; null when there is none there. */
export function textOf(hone: HoneAttributes, key: string): string | null {
  const value = Object.hasOwn(hone, key) ? hone[key] : null;
  return typeof value === 'string' ? value : null;
}
