/** An image or a sound that is part of a value. */
export interface Media {
  readonly kind: 'image' | 'audio';
  /** Such as `image/png`. */
  readonly type: string;
  /** Whether the text is a `data:` address; else it is bare base64. */
  readonly isAddress: boolean;
}

const DATA_ADDRESS = /^data:((image|audio)\/[a-z0-9.+-]{1,40})(?:;[a-z0-9=._-]{1,40})*;base64,[a-z0-9+/]/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Shorter texts are words. */
const LEAST_CHARACTERS = 64;
const LOOKED_AT = 1_000;
/** How files begin, in base64. */
const BEGINNINGS: readonly (readonly [beginning: RegExp, kind: Media['kind'], type: string])[] = [
  [/^iVBORw0KGgo/, 'image', 'image/png'],
  [/^\/9j\//, 'image', 'image/jpeg'],
  [/^R0lGOD[dl]/, 'image', 'image/gif'],
  // `RIFF`, four bytes of length, and what it is.
  [/^UklGR.{6}XRUJQ/, 'image', 'image/webp'],
  [/^UklGR.{6}XQVZF/, 'audio', 'audio/wav'],
  [/^(?:SUQz|\/\/[uv][QS])/, 'audio', 'audio/mpeg'],
  [/^T2dnUw/, 'audio', 'audio/ogg'],
  [/^ZkxhQ/, 'audio', 'audio/flac'],
];

/** The image or sound that a text is; null: it is none. @param beginning of the text, or all of it */
export function mediaOf(beginning: string): Media | null {
  const [, type, kind] = DATA_ADDRESS.exec(beginning) ?? [];
  if (type !== undefined)
    return { kind: kind?.toLowerCase() as Media['kind'], type: type.toLowerCase(), isAddress: true };
  if (beginning.length < LEAST_CHARACTERS || !BASE64.test(beginning.slice(0, LOOKED_AT))) return null;
  const [, known, ofType] = BEGINNINGS.find(([pattern]) => pattern.test(beginning)) ?? [];
  return known === undefined || ofType === undefined ? null : { kind: known, type: ofType, isAddress: false };
}

/** The address that shows it. @param text all of it */
export const addressOf = ({ type, isAddress }: Media, text: string): string =>
  isAddress ? text : `data:${type};base64,${text}`;

/** @param length characters of the text */
export const bytesOf = (length: number): number => Math.floor((length * 3) / 4);
