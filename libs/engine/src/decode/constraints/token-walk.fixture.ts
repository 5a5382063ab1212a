import type { TokenTexts } from '../sampling/bad-words.js';
import { allows, type TokenMask } from '../sampling/token-mask.js';
import type { Constraint, ConstraintSource } from './constraint.js';
import { ConstraintThread, type ConstraintThreadOptions } from './constraint-thread.js';

const PIECES = ['{"', '": ', '","', '"}', '},', '12', '-3', '.5', 'true', 'null', '"a"', 'ab', 'é', '😀'];
const ENCODER = new TextEncoder();
const TEXTS = [
  ...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)),
  ...PIECES.map((piece) => ENCODER.encode(piece)),
  new Uint8Array(0),
];

/** Ends an answer. */
export const END = TEXTS.length - 1;

/** Every byte, some longer tokens that cross the parts of a JSON text, and an end. */
export const WALK_TOKENS: TokenTexts = {
  vocabSize: TEXTS.length,
  tokenBytes: (id) => TEXTS[id] as Uint8Array,
  isSpecial: (id) => id === END,
};

export function openThread(options: Partial<ConstraintThreadOptions> = {}): ConstraintThread {
  return new ConstraintThread(WALK_TOKENS, [END], { limitMs: 5_000, ...options });
}

/** The next mask. @throws why there is none */
export async function nextMask(constraint: Constraint): Promise<TokenMask> {
  await new Promise<void>((resolve) => constraint.whenReady(resolve));
  if (constraint.failure !== null) throw constraint.failure;
  return constraint.mask as TokenMask;
}

/** Whether a text satisfies a constraint, taken byte by byte. */
export async function accepts(thread: ConstraintThread, source: ConstraintSource, text: string): Promise<boolean> {
  const constraint = thread.create(source);
  let areAllowed = true;
  for (const byte of Buffer.from(text)) {
    areAllowed &&= allows(await nextMask(constraint), byte);
    if (areAllowed) constraint.accept(byte);
  }
  areAllowed &&= allows(await nextMask(constraint), END);
  constraint.close();
  return areAllowed;
}

/**
 * Takes allowed tokens at random, as long as there are any but the end and `maxTokens` are not reached; towards
 * the end it prefers what closes strings and brackets.
 *
 * @returns the text, or null when it had to be cut off
 */
export async function walk(thread: ConstraintThread, source: ConstraintSource, seed: number, maxTokens = 150) {
  const constraint = thread.create(source);
  const random = numbers(seed);
  const bytes: number[] = [];
  for (let count = 0; ; count++) {
    const mask = await nextMask(constraint);
    const ids = [...TEXTS.keys()].filter((id) => allows(mask, id));
    if (ids.length === 0) throw new Error(`No token may follow ${JSON.stringify(text(bytes))}.`);
    if (ids.includes(END) && (ids.length === 1 || count > 20 || random() < 0.5)) break;
    if (count === maxTokens) {
      constraint.close();
      return null;
    }
    const id = choose(ids, count > 15, random);
    bytes.push(...(TEXTS[id] as Uint8Array));
    constraint.accept(id);
  }
  constraint.close();
  return text(bytes);
}

function choose(ids: readonly number[], isLate: boolean, random: () => number): number {
  const inner = ids.filter((id) => id !== END);
  const closing = inner.filter((id) => /^["\]}]/.test(text([...(TEXTS[id] as Uint8Array)])));
  const printable = inner.filter((id) => id >= 256 || (id > 0x20 && id < 0x7f));
  const from = isLate && closing.length > 0 ? closing : printable.length > 0 && random() < 0.9 ? printable : inner;
  return from[Math.floor(random() * from.length)] as number;
}

function text(bytes: readonly number[]): string {
  return new TextDecoder('utf-8', { ignoreBOM: true, fatal: false }).decode(Uint8Array.from(bytes));
}

/** Numerical Recipes' linear congruential generator. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
