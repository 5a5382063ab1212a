import { promptSizeOf } from './prompt-size.js';

const ADDRESS = `data:image/png;base64,${'A'.repeat(4_000_000)}`;
const sizeOf = (content: unknown) => {
  const fields = { messages: [{ role: 'user', content }] };
  return promptSizeOf(fields, Buffer.byteLength(JSON.stringify(fields)));
};
const TEXT = { type: 'text', text: 'What is this?' };

describe('promptSizeOf', () => {
  it('counts the bytes of text', () => {
    expect(sizeOf('What is this?')).toEqual({ textBytes: 56, mediaTokens: 0 });
    expect(sizeOf([TEXT]).mediaTokens).toBe(0);
  });

  it.each([
    ['image_url', { url: ADDRESS }, 765],
    ['image_url', { url: ADDRESS, detail: 'low' }, 85],
    ['image_url', ADDRESS, 765],
    ['input_image', ADDRESS, 765],
    ['input_audio', { data: ADDRESS, format: 'wav' }, 765],
    ['file', { file_data: ADDRESS }, 765],
  ])('counts media of the type %s by rule, not by bytes', (type, media, tokens) => {
    const { textBytes, mediaTokens } = sizeOf([TEXT, { type, [type]: media }]);
    expect(mediaTokens).toBe(tokens);
    expect(textBytes).toBeLessThan(200);
  });

  it('counts each of several', () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.net/a.png' } };
    expect(sizeOf([image, image, TEXT]).mediaTokens).toBe(2 * 765);
  });

  it('reads parts that it does not know as text', () => {
    expect(
      sizeOf([{ type: 'image_url', image_url: null }, { type: 5 }, { type: 'x', x: 'abc' }]).textBytes,
    ).toBeGreaterThan(90);
  });
});
