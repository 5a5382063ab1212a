import { entryParts, SEPARATOR, splitEntry, splitRecord } from './journalled-entry.js';

const TEXTS = { row: '{"uid":"u"', attributes: '{"model":"m"}', summary: '{}' };
const CONTENT = { metadata: null, thread: null, isWithoutContent: false, tokens: null };
const entryOf = (inputs: string | Buffer | null, output: string | Buffer | null) =>
  Buffer.concat(entryParts({ ...CONTENT, inputs, output }, TEXTS).map((part) => Buffer.from(part)));

describe('a journalled entry', () => {
  it.each([
    ['texts', '{"q":"ü"}', '{"a":1}'],
    ['bytes', Buffer.from('{"q":"ü"}'), Buffer.from('{"a":1}')],
    ['an answer that has separators', '{}', `no JSON ${SEPARATOR}${SEPARATOR}{}${SEPARATOR}`],
  ])('of %s has its parts', (_what, inputs, output) => {
    const { usage, entry } = splitRecord(Buffer.concat([Buffer.from(`{"n":1}${SEPARATOR}`), entryOf(inputs, output)]));
    expect(usage.toString()).toBe('{"n":1}');
    const parts = entry && splitEntry(entry);
    expect(parts?.inputs.toString()).toBe(String(inputs));
    expect(parts?.output.toString()).toBe(String(output));
    expect({ ...parts, attributes: String(parts?.attributes), summary: String(parts?.summary) }).toMatchObject(TEXTS);
  });

  it('says that there is no content', () => {
    const parts = splitEntry(entryOf(null, null));
    expect([parts?.inputs.toString(), parts?.output.toString()]).toEqual(['{}', 'null']);
  });

  it('is none where parts are missing', () => {
    for (const text of ['', '{}', `{}${SEPARATOR}null`, `{}${SEPARATOR}null${SEPARATOR}{}`])
      expect(splitEntry(Buffer.from(text))).toBeNull();
    expect(splitRecord(Buffer.from('{"n":1}')).entry).toBeNull();
  });
});
