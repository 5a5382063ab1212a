import type { TokenMask } from '../sampling/token-mask.js';

/**
 * DFA of UTF-8 (RFC 3629, section 4): between characters, or within one with the bytes that may come next.
 * Each state is the range of the next byte and the state after it.
 */
const CONTINUATIONS: Readonly<Record<number, readonly [low: number, high: number, next: number]>> = {
  1: [0x80, 0xbf, 0],
  2: [0x80, 0xbf, 1],
  3: [0x80, 0xbf, 2],
  4: [0xa0, 0xbf, 1],
  5: [0x80, 0x9f, 1],
  6: [0x90, 0xbf, 2],
  7: [0x80, 0x8f, 2],
};
const BETWEEN = 0;
const STATES = 8;
const INVALID = -1;

/**
 * Keeps an answer UTF-8. xgrammar knows characters beyond ASCII only as "a byte above 7F and its followers", which
 * overlong forms and surrogates are, too.
 */
export class Utf8Guard {
  private readonly masks: (TokenMask | undefined)[] = new Array<undefined>(STATES);

  /** @param tokens bytes of each token id */
  constructor(private readonly tokens: readonly Uint8Array[]) {}

  /** State of an empty text. */
  readonly start = BETWEEN;

  /** The state after a token that was allowed. */
  after(state: number, id: number): number {
    return this.read(state, this.tokens[id] as Uint8Array);
  }

  /** Whether a token is allowed in this state; false for an id without a token. */
  allows(state: number, id: number): boolean {
    const bytes = this.tokens[id];
    if (bytes === undefined) return false;
    // A token without bytes ends the answer, which is not allowed within a character.
    return bytes.length === 0 ? state === BETWEEN : this.read(state, bytes) !== INVALID;
  }

  /** Takes the tokens out of `mask` that are not UTF-8 in this state. */
  restrict(mask: TokenMask, state: number): void {
    const valid = (this.masks[state] ??= this.validIn(state));
    for (let word = 0; word < mask.length; word += 1) mask[word] = (mask[word] as number) & (valid[word] as number);
  }

  private validIn(state: number): TokenMask {
    const mask = new Uint32Array(Math.ceil(this.tokens.length / 32));
    for (let id = 0; id < this.tokens.length; id += 1) {
      if (this.allows(state, id)) mask[id >>> 5] = (mask[id >>> 5] as number) | (1 << (id & 31));
    }
    return mask;
  }

  private read(state: number, bytes: Uint8Array): number {
    let current = state;
    for (const byte of bytes) {
      current = current === BETWEEN ? lead(byte) : follow(current, byte);
      if (current === INVALID) return INVALID;
    }
    return current;
  }
}

function follow(state: number, byte: number): number {
  const [low, high, next] = CONTINUATIONS[state] as readonly [number, number, number];
  return byte >= low && byte <= high ? next : INVALID;
}

function lead(byte: number): number {
  if (byte < 0x80) return BETWEEN;
  if (byte < 0xc2 || byte > 0xf4) return INVALID;
  if (byte < 0xe0) return 1;
  if (byte < 0xf0) return byte === 0xe0 ? 4 : byte === 0xed ? 5 : 2;
  return byte === 0xf0 ? 6 : byte === 0xf4 ? 7 : 3;
}
