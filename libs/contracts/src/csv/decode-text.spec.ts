import { decodeText, TextEncodingError } from './decode-text.js';

const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

function refusal(bytes: Uint8Array, encoding?: 'windows-1252'): TextEncodingError {
  try {
    decodeText(bytes, encoding);
  } catch (error) {
    if (error instanceof TextEncodingError) return error;
    throw error;
  }
  throw new Error('The bytes are text.');
}

describe('decodeText', () => {
  it('reads UTF-8 with and without a byte order mark', () => {
    expect(decodeText(Buffer.from('\ufeffcafé €'))).toBe('café €');
    expect(decodeText(Buffer.from('café €'))).toBe('café €');
  });

  it('reads UTF-16 with a byte order mark, in both orders', () => {
    const little = Buffer.from('\ufeffcafé', 'utf16le');
    expect(decodeText(little)).toBe('café');
    expect(decodeText(Buffer.from(little).swap16())).toBe('café');
  });

  it('refuses Windows-1252 that nobody chose, by its name', () => {
    expect(refusal(latin('caf\xe9'))).toMatchObject({
      message: 'The text is not UTF-8. Save it as UTF-8, or choose Windows-1252 if it is that.',
      possible: 'windows-1252',
    });
  });

  it('reads every character of Windows-1252 when it is chosen', () => {
    const text = decodeText(latin('\x80\x92\x93\x9f\xa0\xe9\xff'.repeat(10_000)), 'windows-1252');
    expect(text).toBe('€’“Ÿ\u00a0éÿ'.repeat(10_000));
  });

  it('refuses bytes that are no text in any encoding that it knows', () => {
    expect(refusal(latin('\x81\x40'))).toMatchObject({ possible: null, message: /neither UTF-8 nor Windows-1252/ });
    expect(refusal(latin('\x81\x40'), 'windows-1252').message).toMatch(/^The text is not Windows-1252/);
  });

  it('refuses NUL characters, which UTF-16 without a byte order mark has', () => {
    expect(refusal(new Uint8Array(Buffer.from('a,b', 'utf16le'))).message).toMatch(/^The text has NUL characters/);
  });
});
