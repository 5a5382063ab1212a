import { isJsonObject, JsonNumber } from '@hone/client';

import { decodeOrSame } from '../../../shared/format/decode.js';

/** `<scheme>:///<entity>/<project>/file/<digest>`, and the type of what was a `data:` address. */
const FILE_REF = /^[a-z][a-z0-9+.-]*:\/\/\/([^/]+)\/([^/]+)\/file\/([^/?]+)(?:\?type=(.+))?$/;
/** Members that people and models write. */
const WORDS = ['content', 'text'];

/** A value with its images, sounds and files in it. */
export interface WithFiles {
  readonly value: unknown;
  /** How many were not there any more: their refs stay. */
  readonly missing: number;
}

/**
 * Puts files of the project back where the gateway took them out of what it kept of a chat.
 *
 * @param read reads a file as base64; null: it is gone
 */
export async function withFiles(
  value: unknown,
  projectId: string,
  read: (digest: string) => Promise<string | null>,
): Promise<WithFiles> {
  const found = new Map<string, Promise<string | null>>();
  const fill = async (at: unknown, name: string): Promise<unknown> => {
    if (Array.isArray(at)) return Promise.all(at.map((item) => fill(item, '')));
    if (isJsonObject(at) && !(at instanceof JsonNumber)) {
      const members = Object.entries(at).map(async ([key, member]) => [key, await fill(member, key)] as const);
      return Object.fromEntries(await Promise.all(members));
    }
    const [, entity = '', project = '', digest, type] =
      (typeof at === 'string' && !WORDS.includes(name) && FILE_REF.exec(at)) || [];
    if (digest === undefined || `${decodeOrSame(entity)}/${decodeOrSame(project)}` !== projectId) return at;
    if (!found.has(digest)) found.set(digest, read(digest));
    const base64 = await found.get(digest);
    if (typeof base64 !== 'string') return at;
    return type === undefined ? base64 : `data:${type};base64,${base64}`;
  };
  const filled = await fill(value, '');
  const files = await Promise.all(found.values());
  return { value: filled, missing: files.filter((file) => file === null).length };
}
