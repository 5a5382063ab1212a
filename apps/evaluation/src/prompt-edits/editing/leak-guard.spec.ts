import type { JsonValue } from '@hone/contracts';

import { LeakGuard } from './leak-guard.js';

const ORIGINAL = ['Answer the question of a customer in one short and friendly sentence: {{question}}'];
const ROW = {
  question: 'My parcel number 4711 was sent to the wrong address in Bremen, what now?',
  expected: 'Please call us at once',
};
const leaks = (edit: string | string[], of: JsonValue = ROW, original = ORIGINAL) =>
  new LeakGuard(original, [edit].flat()).isLeakOf(of);

/** The longest turn of this process's event loop, in milliseconds of its processor: other processes may have the machine meanwhile. */
class Turns {
  private longest = 0;
  private since = process.cpuUsage();
  private timer = setImmediate(() => this.turn());

  end(): number {
    clearImmediate(this.timer);
    this.measure();
    return this.longest / 1_000;
  }

  private turn(): void {
    this.measure();
    this.timer = setImmediate(() => this.turn());
  }

  private measure(): void {
    const { user, system } = process.cpuUsage(this.since);
    this.longest = Math.max(this.longest, user + system);
    this.since = process.cpuUsage();
  }
}

describe('the guard against leaks', () => {
  it('finds eight words in a row of a row, however they are written', async () => {
    expect(await leaks('Example: parcel number 4711 was sent to the wrong address')).toBe(true);
    expect(await leaks('Example: PARCEL number\n4711, "was" sent — to the... wrong')).toBe(true);
    expect(await leaks('par\u200bcel num\u00adber 4711 was sent to the wrong')).toBe(true);
    expect(await leaks('ｐａｒｃｅｌ number 4711 was sent to the wrong')).toBe(true);
    expect(await leaks(['parcel number 4711 was', 'sent to the wrong'])).toBe(true);
  });

  it('lets seven words pass, and what the original has', async () => {
    expect(await leaks('parcel number 4711 was sent to the other')).toBe(false);
    const quoted = { note: 'Answer the question of a customer in one short and friendly sentence' };
    expect(await leaks('Politely answer the question of a customer in one short and friendly sentence', quoted)).toBe(
      false,
    );
    expect(
      await leaks('answer the question of a customer in one short and friendly word', {
        note: 'Tell a customer in one short and friendly word',
      }),
    ).toBe(true);
  });

  it('reads all of a row: lists, what is deep within, numbers, names, and one text after the other', async () => {
    const edit = 'Such as: one two three four five six seven eight';
    expect(await leaks(edit, { messages: [{ content: [{ text: 'one two three four five six seven eight' }] }] })).toBe(
      true,
    );
    expect(await leaks(edit, ['one', 'two three', { four: 'five' }, 'six', 'seven eight'])).toBe(true);
    expect(await leaks('1 2 3 4 5 6 7 8', { numbers: [1, 2, 3, 4, 5, 6, 7, 8] })).toBe(true);
    expect(
      await leaks('true false true false true false true false', [
        true,
        false,
        true,
        false,
        null,
        true,
        false,
        true,
        false,
      ]),
    ).toBe(true);
    expect(await leaks(edit, 'eight seven six five four three two one')).toBe(false);
  });

  it('counts characters of writing without spaces as words', async () => {
    const row = { question: '我的包裹被送到了错误的地址' };
    expect(await leaks('例如：包裹被送到了错误', row)).toBe(true);
    expect(await leaks('例如：包裹被送到了家', row)).toBe(false);
  });

  it('finds nothing in an edit that says nothing new', async () => {
    expect(await leaks(ORIGINAL, ORIGINAL)).toBe(false);
    expect(await leaks('', ROW)).toBe(false);
  });

  it('finds it at the end of a long row', async () => {
    const row = `${'word '.repeat(100_000)} parcel number 4711 was sent to the wrong address`;
    expect(await leaks('parcel number 4711 was sent to the wrong address', row)).toBe(true);
  });

  it.each([
    ['one long word', 'a'.repeat(1_048_576)],
    ['many short words', 'a '.repeat(2_097_152)],
    ['characters that stand for many', '\ufdfa'.repeat(1_048_576)],
    ['marks without letters', '\u0301'.repeat(1_048_576)],
    ['characters that nobody sees', '\u200b'.repeat(1_048_576)],
    ['nothing but spaces', ' '.repeat(1_048_576)],
    ['braces', '{{ '.repeat(349_525)],
    ['a deep list', JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) as JsonValue],
  ])('holds up nobody for long over %s', async (_name, row) => {
    const turns = new Turns();
    const edit = 'a a a a a a a b '.repeat(2_000);
    expect(await leaks(edit, row)).toBe(false);
    expect(turns.end()).toBeLessThan(200);
  });
});
