import { isJsonObject } from '@hone/json';

import { shownValue } from '../config/json-fields.js';
import { CODE_BYTES } from './byte-characters.js';
import { TokenizerUnsupportedError } from './tokenizer.errors.js';
import { stepsOf } from './tokenizer-file.js';

/** How vocabulary entries become bytes. */
export interface TokenBytesRule {
  readonly kind: 'byte-level' | 'sentencepiece';
  /** SentencePiece puts a blank before the text; the whole text loses it again. */
  readonly dropsFirstBlank: boolean;
}

const BLANK = '\u2581';
const BYTE_TOKEN = /^<0x([0-9A-Fa-f]{2})>$/;

/**
 * Reads from the `decoder` of a tokenizer.json how its tokens become bytes: GPT-2's byte-level characters,
 * or SentencePiece's, with `▁` for a blank and `<0xNN>` for a byte.
 *
 * @throws TokenizerUnsupportedError another decoder
 */
export function tokenBytesRule(file: string, decoder: unknown): TokenBytesRule {
  const parts = stepsOf(decoder, 'decoders');
  const unknown = parts.find((part) => !isKnown(part));
  if (parts.length === 0 || unknown) {
    throw new TokenizerUnsupportedError(file, `its decoder ${shownValue(unknown ?? null)} is not supported`);
  }
  if (parts.some(({ type }) => type === 'ByteLevel')) return { kind: 'byte-level', dropsFirstBlank: false };
  const dropsFirstBlank = parts.some((part) => {
    return (
      (part.type === 'Strip' && part.start === 1) || (part.type === 'Metaspace' && part.prepend_scheme !== 'never')
    );
  });
  return { kind: 'sentencepiece', dropsFirstBlank };
}

/** The bytes that a vocabulary entry stands for. Not for added tokens: they are their own text. */
export function bytesOfEntry(entry: string, { kind }: TokenBytesRule): Uint8Array {
  if (kind === 'byte-level') return byteLevelBytes(entry);
  const byte = BYTE_TOKEN.exec(entry)?.[1];
  return byte ? Uint8Array.of(parseInt(byte, 16)) : Buffer.from(entry.replaceAll(BLANK, ' '), 'utf8');
}

function byteLevelBytes(entry: string): Uint8Array {
  const bytes = new Uint8Array(entry.length);
  for (let at = 0; at < entry.length; at++) {
    const byte = CODE_BYTES[entry.charCodeAt(at)];
    // An entry with characters that stand for no byte was added by hand: its text is taken literally.
    if (byte === undefined) return Buffer.from(entry, 'utf8');
    bytes[at] = byte;
  }
  return bytes;
}

function isKnown(part: Record<string, unknown>): boolean {
  switch (part.type) {
    case 'ByteLevel':
    case 'ByteFallback':
    case 'Fuse':
    case 'Metaspace':
      return true;
    case 'Strip':
      return part.content === ' ' && part.stop === 0;
    case 'Replace':
      return isJsonObject(part.pattern) && part.pattern.String === BLANK && part.content === ' ';
    default:
      return false;
  }
}
