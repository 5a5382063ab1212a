import { allows, toTokenMask } from '../sampling/token-mask.js';
import type { Constraint } from './constraint.js';
import type { ConstraintThread } from './constraint-thread.js';
import type { ThreadedConstraint } from './threaded-constraint.js';
import { END, nextMask, openThread, walk, WALK_TOKENS } from './token-walk.fixture.js';

const regex = (pattern: string) => ({ kind: 'regex' as const, pattern });
const A = 0x61;
/** Its masks take longer and longer. */
const HOSTILE = '(((a|b)?(c|d)?){0,200}){0,200}';
/** Processor time of this whole process: what a new thread takes to compile its module counts for its first constraint. */
const LIMIT_MS = 1_500;

describe('ConstraintThread', () => {
  let thread: ConstraintThread;

  beforeEach(() => {
    thread = openThread();
  });
  afterEach(() => thread.close());

  it.each([
    '[a-z]{3}',
    '\\d+(\\.\\d{2})?',
    'a.c|[^a]b',
    '\\u00e9+x{2,}',
    '(?<n>a|b){0,3}z',
    '[\\]\\-^]',
    '\\W\\S\\s',
    '(a+)+$',
    'a||b',
    '[^\\S]{1,3}[^\\s]{1,3}',
  ])('lets only texts through that match %p', async (pattern) => {
    for (let seed = 0; seed < 8; seed++) {
      const text = await walk(thread, regex(pattern), seed);
      if (text !== null) expect(text).toMatch(new RegExp(`^(?:${pattern})$`, 'u'));
    }
  });

  it.each(['(?=a)', '\\bfoo', '(a)\\1', '\\p{L}', 'a(^b)', 'a(b$)'])('refuses the pattern %p', async (pattern) => {
    await expect(nextMask(thread.create(regex(pattern)))).rejects.toMatchObject({
      code: 'engine.constraint_unsupported',
    });
  });

  it.each(['a\\-\\"b', '{"a": \\d+}', '[\\w\\-]]', '[[{}]]'])('takes %p as other dialects do', async (pattern) => {
    for (let seed = 0; seed < 4; seed++) {
      const text = await walk(thread, regex(pattern), seed);
      if (text !== null) expect(text).toMatch(new RegExp(`^(?:${pattern})$`));
    }
  });

  it.each([
    ['repetitions', '((a{999}){999}){999}'],
    ['nesting', '('.repeat(8_000)],
    ['length', 'a'.repeat(8_193)],
    ['ranges', `[${'\\u0080-\\u047f'.repeat(17)}]`],
  ])('refuses a pattern that is too large before compiling it: %s', async (_, pattern) => {
    await expect(nextMask(thread.create(regex(pattern)))).rejects.toMatchObject({
      code: 'engine.constraint_too_large',
    });
  });

  it('lets only the options of a choice through', async () => {
    const options = ['red', 'green "x"', 'grün', 'gr'];
    for (let seed = 0; seed < 10; seed++) {
      expect(options).toContain(await walk(thread, { kind: 'choice', options }, seed));
    }
  });

  it('lets only JSON objects through', async () => {
    const source = { kind: 'json_object' as const, whitespace: 'any' as const, onlyDeclared: false };
    for (let seed = 0; seed < 10; seed++) {
      const text = await walk(thread, source, seed);
      if (text !== null) expect(JSON.parse(text)).toEqual(expect.objectContaining({}));
    }
  });

  it('offers the end exactly where the text is complete', async () => {
    const constraint = thread.create(regex('ab?'));
    expect(await nextMask(constraint)).toEqual(toTokenMask([A, 256 + 11], WALK_TOKENS.vocabSize));
    constraint.accept(A);
    expect(await nextMask(constraint)).toEqual(toTokenMask([A + 1, END], WALK_TOKENS.vocabSize));
    constraint.accept(A + 1);
    expect(await nextMask(constraint)).toEqual(toTokenMask([END], WALK_TOKENS.vocabSize));
  });

  it('keeps invalid UTF-8 out of strings', async () => {
    const constraint = thread.create(regex('.'));
    const mask = await nextMask(constraint);
    const beyondAscii = Array.from({ length: 128 }, (_, index) => 128 + index);
    expect(beyondAscii.filter((byte) => allows(mask, byte))).toEqual(
      beyondAscii.filter((byte) => byte >= 0xc2 && byte <= 0xf4),
    );
    constraint.accept(0xe0);
    const next = await nextMask(constraint);
    expect([0x9f, 0xa0].map((byte) => allows(next, byte))).toEqual([false, true]);
  });

  it('hands over a constraint that takes too long, which goes on elsewhere', async () => {
    let late = 0;
    const onLate = (constraint: ThreadedConstraint) => {
      late += 1;
      thread.adopt(constraint);
    };
    const impatient = openThread({ limitMs: 1, onLate });
    const schema = { type: 'array', items: { type: 'string', maxLength: 2_000 }, maxItems: 50 };
    const source = { kind: 'json_schema' as const, schema, whitespace: 'any' as const, onlyDeclared: false };
    const constraint = impatient.create(source);
    for (const token of Buffer.from('["a", "b')) {
      expect(allows(await nextMask(constraint), token)).toBe(true);
      constraint.accept(token);
    }
    expect(late).toBeGreaterThan(0);
    await impatient.close();
    expect(allows(await nextMask(constraint), A)).toBe(true);
  });

  describe('after a mask that took long', () => {
    const B = A + 1;
    const only = (...ids: number[]) => toTokenMask(ids, WALK_TOKENS.vocabSize);
    /** Waits for a proposal after its first letter, an a. */
    async function opened(pattern: string): Promise<Constraint> {
      const constraint = thread.create(regex(pattern));
      await nextMask(constraint);
      constraint.accept(A, true);
      expect(constraint).toMatchObject({ mask: null, awaitsProposal: true });
      return constraint;
    }
    async function restart(): Promise<void> {
      await expect(follow(thread.create(regex(HOSTILE)), 100)).rejects.toMatchObject({
        code: 'engine.constraint_timeout',
      });
    }
    beforeEach(async () => {
      await thread.close();
      thread = openThread({ slowMaskMs: 0, limitMs: LIMIT_MS });
    });

    it('answers a proposed token with that token, again and again', async () => {
      const constraint = await opened('a(ab)*');
      for (const id of [A, B, A, B, END]) {
        constraint.propose(id);
        expect(await nextMask(constraint)).toEqual(only(id));
        constraint.accept(id, true);
      }
    });

    it.each([B + 1, -1])('answers with the whole mask where %p is not allowed', async (refused) => {
      const constraint = await opened('aab?');
      constraint.propose(refused);
      expect(await nextMask(constraint)).toEqual(only(A, 256 + 11));
      constraint.accept(A, true);
      constraint.propose(refused);
      expect(await nextMask(constraint)).toEqual(only(B, END));
    });

    it('goes on in a new thread, whether a token was proposed, accepted, or neither', async () => {
      const [waiting, asking, ahead] = [await opened('aab'), await opened('aab'), await opened('aab')];
      ahead.propose(A);
      await nextMask(ahead);
      const restarted = restart();
      asking.propose(A);
      await restarted;
      for (const constraint of [waiting, asking, ahead]) {
        expect(allows(await nextMask(constraint), A)).toBe(true);
        constraint.accept(A, true);
        constraint.propose(B);
        expect(await nextMask(constraint)).toEqual(only(B));
      }
    });
  });

  it('does not count time in which the main thread was busy', async () => {
    await thread.close();
    thread = openThread({ limitMs: LIMIT_MS });
    const constraint = thread.create(regex('aab'));
    await nextMask(constraint);
    constraint.accept(A);
    const busyUntilMs = Date.now() + LIMIT_MS + 500;
    while (Date.now() < busyUntilMs);
    expect(await nextMask(constraint)).toEqual(toTokenMask([A, 256 + 11], WALK_TOKENS.vocabSize));
  });

  it('fails a constraint that takes too long, and keeps the others open', async () => {
    await thread.close();
    thread = openThread({ limitMs: LIMIT_MS });
    const other = thread.create(regex('aab'));
    await nextMask(other);
    other.accept(A);
    await nextMask(other);
    const hostile = thread.create(regex(HOSTILE));
    await expect(follow(hostile, 100)).rejects.toMatchObject({ code: 'engine.constraint_timeout' });
    other.accept(A);
    expect(await nextMask(other)).toEqual(toTokenMask([A + 1], WALK_TOKENS.vocabSize));
  });
});

/** Takes the letter a, again and again. */
async function follow(constraint: Constraint, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await nextMask(constraint);
    constraint.accept(A);
  }
}
