import { MAX_SIDE_CHARACTERS, MAX_SIDE_TERMS, toCallDocument } from './document.js';
import { SearchWordsError, toPhrases } from './search-query.js';
import { GAP } from './terms.js';
import { wordsOf } from './words.js';

const wordsIn = (text: string) => [...wordsOf(text)].map((word) => word.text);
const documentOf = (value: unknown) => toCallDocument({ inputs: JSON.stringify(value), output: null }).inputs;

/** Whether a call with this value is found by the words. */
function isFound(value: unknown, typed: string): boolean {
  const document = documentOf(value);
  return toPhrases(typed).every(
    ({ terms, sequence }) =>
      terms.every((term) => document.includes(term)) &&
      (sequence.length < 2 || `,${document.join(',')},`.includes(`,${sequence.join(',')},`)),
  );
}

describe('words', () => {
  it.each([
    ['Hello, WORLD! snake_case don’t', ['hello', 'world', 'snake', 'case', 'don', 't']],
    ['Straße ΣΑΣ Ｆｕｌｌ ﬁne', ['strasse', 'σασ', 'full', 'fine']],
    ['e\u0301te\u0301 été', ['été', 'été']],
    ['مرحبا بالعالم שָׁלוֹם', ['مرحبا', 'بالعالم', 'שָׁלוֹם']],
    ['so\u00adft hy\u200bphen', ['soft', 'hyphen']],
    ['👩‍💻 ❤️ 🇩🇪', ['👩', '💻', '❤', '🇩🇪']],
    ['iPhone15を買う', ['iphone15', 'を買う']],
    ['हिन्दी नमस्ते', ['हिन्दी', 'नमस्ते']],
  ])('of %j', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it('are told apart by their first 64 units', () => {
    expect(wordsIn('a'.repeat(150))).toEqual(['a'.repeat(64)]);
    expect(wordsIn('𝒳'.repeat(40))[0]).toBe('x'.repeat(40));
  });

  it('are not looked for in bytes as text', () => {
    const bytes = Buffer.alloc(9_000, 'hone').toString('base64');
    expect(wordsIn(`see data:image/png;base64,${bytes} here`)).toEqual([
      'see',
      'data',
      'image',
      'png',
      'base64',
      'here',
    ]);
    expect(wordsIn('x'.repeat(10_000))).toEqual([]);
  });
});

describe('a search', () => {
  it.each([
    ['東京都に行きたい', '東京', true],
    ['東京都に行きたい', '京', true],
    ['東京都に行きたい', '東都', false],
    ['東京 tower', '"東京 tower"', true],
    ['東京都 tower', '"東京 tower"', false],
    ['서울에서 만나요', '서울', true],
    ['ภาษาไทย', 'ไทย', true],
    ['a\nb "c"', '"a b c"', true],
    [['a', 'b'], '"a b"', false],
    [{ key: 'value' }, 'key', false],
    ['café', 'CAFE\u0301', true],
    ['user@example.com', 'user@example', true],
    ['example user', 'user@example', false],
  ])('of %j by %s: %s', (value, typed, expected) => {
    expect(isFound(value, typed)).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['blanks', '  '],
    ['signs', '… ?!'],
    ['empty quotes', '""'],
    ['33 words', 'a '.repeat(33)],
    ['1,025 characters', 'a'.repeat(1_025)],
  ])('cannot be made of %s', (_name, typed) => {
    expect(() => toPhrases(typed)).toThrow(SearchWordsError);
  });
});

describe('a document', () => {
  it('has the two ends of a long text', () => {
    const text = `first ${'middle '.repeat(MAX_SIDE_CHARACTERS / 7)} last`;
    expect(isFound(text, 'first')).toBe(true);
    expect(isFound(text, 'last')).toBe(true);
    expect(documentOf(text).length).toBeLessThanOrEqual(MAX_SIDE_TERMS);
  });

  it('is read of text that is cut off anywhere', () => {
    const json = JSON.stringify({ a: 'one "two"\n\u2028 é', b: ['three', { c: '\\' }] }).replace('é', '\\u00e9');
    for (let end = 0; end <= json.length; end++)
      expect(() => toCallDocument({ inputs: json.slice(0, end), output: null })).not.toThrow();
    expect(isFound({ a: 'one "two"', b: ['three'] }, 'one two three')).toBe(true);
  });

  it('of hostile text is bounded', () => {
    const hostile = ['﷽'.repeat(20_000), `a${'\u0301'.repeat(50_000)}`, '\\'.repeat(50_000), '京'.repeat(60_000)];
    for (const text of hostile) expect(documentOf(text).length).toBeLessThanOrEqual(3 * MAX_SIDE_TERMS);
    expect(documentOf(null)).toEqual([]);
    expect(documentOf(['', '?'])).not.toContain(GAP);
  });
});
