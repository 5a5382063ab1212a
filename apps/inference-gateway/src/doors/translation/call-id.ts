import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import type { ChatToolCall } from './chat-json.js';

type Json = Record<string, unknown>;

/** Between the id of a call and what its upstream wants back with it. */
const MARK = '__extra__';

/**
 * The id that a caller of another door gets for a call. Gemini signs calls (`extra_content`, see
 * https://ai.google.dev/gemini-api/docs/thought-signatures) and refuses a conversation that lacks the signatures; other
 * doors have no member for them, but every client sends ids back as they are.
 */
export function toCallId({ id, extra_content: extra }: ChatToolCall, fallback: string): string {
  const own = id ?? fallback;
  return isJsonObject(extra) ? `${own}${MARK}${Buffer.from(JSON.stringify(extra)).toString('base64url')}` : own;
}

/** Reads an id that {@link toCallId} may have made. `extra`: members for the call. */
export function readCallId(id: string): { readonly id: string; readonly extra: { readonly extra_content?: Json } } {
  const at = id.lastIndexOf(MARK);
  if (at < 0) return { id, extra: {} };
  const extra = parsePlainJson(Buffer.from(id.slice(at + MARK.length), 'base64url'));
  return isJsonObject(extra) ? { id: id.slice(0, at), extra: { extra_content: extra } } : { id, extra: {} };
}
