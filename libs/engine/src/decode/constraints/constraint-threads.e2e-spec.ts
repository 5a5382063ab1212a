import { setTimeout as sleep } from 'node:timers/promises';

import type { TokenTexts } from '../sampling/bad-words.js';
import { allows, toTokenMask } from '../sampling/token-mask.js';
import type { Constraint } from './constraint.js';
import { ConstraintThreads } from './constraint-threads.js';
import { END, nextMask, WALK_TOKENS } from './token-walk.fixture.js';

const A = 0x61;
const LONG_MS = 60_000;
/** Takes minutes. */
const HOSTILE = { kind: 'regex' as const, pattern: '(((a|b)?(c|d)?){0,200}){0,200}' };
const SMALL = { kind: 'regex' as const, pattern: 'a{20}' };

describe('ConstraintThreads', () => {
  let threads: ConstraintThreads;
  afterEach(() => threads.close());

  /** Lets a source be compiled until it counts as quick, also on a busy machine. */
  async function prove(source: typeof SMALL): Promise<void> {
    for (let time = 0; time < 5; time++) {
      const constraint = threads.create(source);
      await nextMask(constraint);
      constraint.close();
    }
  }

  /** Takes letters until the next mask takes very long. */
  async function untilStuck(constraint: Constraint): Promise<void> {
    let steps = 0;
    void takeSome(constraint, Infinity, () => void (steps += 1)).catch(() => undefined);
    for (let before = -1; steps !== before;) {
      before = steps;
      await sleep(500);
    }
  }

  async function takeSome(constraint: Constraint, count: number, taken = () => {}): Promise<void> {
    for (let index = 0; index < count; index++, taken()) {
      await nextMask(constraint);
      constraint.accept(A);
    }
  }

  it('keeps answers going while a source that was not seen before takes very long', async () => {
    threads = new ConstraintThreads(WALK_TOKENS, [END], LONG_MS);
    await prove(SMALL);
    const hostile = threads.create(HOSTILE);
    await untilStuck(hostile);
    await takeSome(threads.create(SMALL), 10);
    expect(hostile.failure).toBeNull();
  });

  it('gives up a source after its time limit, and keeps the others open', async () => {
    threads = new ConstraintThreads(WALK_TOKENS, [END], 300);
    await prove(SMALL);
    const other = threads.create(SMALL);
    await takeSome(other, 5);
    await expect(takeSome(threads.create(HOSTILE), 100)).rejects.toMatchObject({ code: 'engine.constraint_timeout' });
    await takeSome(other, 5);
  });

  it('compiles schemas and tools for a vocabulary of 152,000', async () => {
    const tokens = largeVocabulary(152_000);
    threads = new ConstraintThreads(tokens, [tokens.vocabSize - 1], 10_000);
    const city = { type: 'object', properties: { city: { type: 'string', maxLength: 500 } }, required: ['city'] };
    const style = { whitespace: 'any' as const, onlyDeclared: false };
    for (const schema of [city, { type: 'array', items: city }, {}]) {
      const constraint = threads.create({ kind: 'json_schema', schema, ...style });
      const mask = await nextMask(constraint);
      expect([0x7b, 0x5b, 0x78].map((byte) => allows(mask, byte))).toEqual(
        schema === city ? [true, false, false] : schema.type === 'array' ? [false, true, false] : [true, true, false],
      );
      constraint.close();
    }
    const choice = threads.create({ kind: 'choice', options: ['x'] });
    expect(await nextMask(choice)).toEqual(toTokenMask([0x78], tokens.vocabSize));
  });
});

/** Every byte, then words of one to nine letters, half of them with a blank before; the last id ends an answer. */
function largeVocabulary(vocabSize: number): TokenTexts {
  const texts = new Map<string, Uint8Array>();
  for (let seed = 1; texts.size < vocabSize - 257; seed++) {
    let [rest, word] = [Math.imul(seed, 2_654_435_761) >>> 0, seed % 2 === 0 ? ' ' : ''];
    for (; rest > 0; rest = Math.floor(rest / 26)) word += String.fromCharCode(A + (rest % 26));
    if (word.length > 1) texts.set(word, Buffer.from(word));
  }
  const bytes = [...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)), ...texts.values(), new Uint8Array()];
  return {
    vocabSize: bytes.length,
    tokenBytes: (id) => bytes[id] as Uint8Array,
    isSpecial: (id) => id === bytes.length - 1,
  };
}
