import { decodeOrSame } from '../format/decode.js';

/** What a ref names, in words. */
export interface RefParts {
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly kind: 'object' | 'op' | 'call' | 'table';
  /** Name of the object or op, id of the call, digest of the table. */
  readonly name: string;
  /** Version of the object or op, as the ref has it; '' where refs have none. */
  readonly version: string;
}

const REF = /^[a-z][a-z0-9+.-]*:\/\/\/([^/]+)\/([^/]+)\/(object|op|call|table)\/([^/]+)/;

/** Reads a ref of any scheme, with or without one; null: the text is no ref. */
export function parseRef(text: string | null | undefined): RefParts | null {
  const full = (text ?? '').includes('///') ? (text ?? '') : `hone:///${text ?? ''}`;
  const [, entity = '', project = '', kind, last = ''] = REF.exec(full) ?? [];
  if (kind === undefined) return null;
  const projectId = `${decodeOrSame(entity)}/${decodeOrSame(project)}`;
  // Ids of calls stand in refs as they are, whatever is in them.
  if (kind === 'call' || kind === 'table') return { projectId, kind, name: last, version: '' };
  const colon = last.includes(':') ? last.lastIndexOf(':') : last.length;
  const version = decodeOrSame(last.slice(colon + 1));
  return { projectId, kind: kind as 'object' | 'op', name: decodeOrSame(last.slice(0, colon)), version };
}

/** `quality:v3` of a ref with a short version, `quality:5qtqo7` of one with a digest; a text that is no ref as it is. */
export function shortRef(text: string | null | undefined): string {
  const parts = parseRef(text);
  if (parts === null) return text ?? '';
  return parts.version === '' ? parts.name : `${parts.name}:${shortVersion(parts.version)}`;
}

const DIGEST_LENGTH = 43;

/** The first characters of a digest, which are enough for people; other selectors as they are. */
export const shortVersion = (version: string): string =>
  version.length < DIGEST_LENGTH ? version : version.slice(0, 6);

/** Id of the project's call that a ref names; null: it names none. */
export function callIdOf(projectId: string, ref: string): string | null {
  const parts = parseRef(ref);
  return parts?.kind === 'call' && parts.projectId === projectId ? parts.name : null;
}

export const callRef = (projectId: string, callId: string): string => `hone:///${projectId}/call/${callId}`;

export const objectRef = (projectId: string, objectId: string, version: string): string =>
  `hone:///${projectId}/object/${encodeURIComponent(objectId)}:${version}`;
