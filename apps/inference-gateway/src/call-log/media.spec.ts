import { createHash, randomBytes } from 'node:crypto';

import { bytesDigest } from '@hone/contracts';

import { extractMedia } from './media.js';

const refOf = (digest: string) => `hone:///a/b/file/${digest}`;
const IMAGE = Buffer.from(createHash('shake256', { outputLength: 4_000 }).update('image').digest());
const SOUND = Buffer.from(createHash('shake256', { outputLength: 5_000 }).update('sound').digest());
const url = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const requestOf = (...content: object[]) => JSON.stringify({ messages: [{ role: 'user', content }], n: 1 });

/** How often other work had its turn. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const result = await work();
  isOver = true;
  return { result, turns };
}

describe('media of a chat', () => {
  it('become refs, and everything else stays as it is', async () => {
    const text = { type: 'text', text: 'what is "data:image/png;base64," here?' };
    const image = (of: string) => ({ type: 'image_url', image_url: { url: of, detail: 'low' } });
    const sound = (data: string) => ({ type: 'input_audio', input_audio: { data, format: 'wav' } });
    const named = { input_audio: { format: 'mp3', data: SOUND.toString('base64') } };
    const sent = requestOf(
      text,
      image(url(IMAGE)),
      sound(SOUND.toString('base64')),
      image(url(IMAGE, 'image/jpeg')),
      named,
    );
    const { json, files } = await extractMedia(sent, refOf);
    const [one, two] = [IMAGE, SOUND].map((bytes) => refOf(bytesDigest(bytes))) as [string, string];
    const kept = [text, image(`${one}?type=image/png`), sound(two), image(`${one}?type=image/jpeg`)];
    expect(json).toBe(requestOf(...kept, { input_audio: { format: 'mp3', data: two } }));
    expect(files).toEqual([IMAGE, SOUND, IMAGE, SOUND]);
  });

  it('are found though their slashes are escaped', async () => {
    const sent = requestOf({ image_url: { url: url(IMAGE) } }).replaceAll('/', '\\/');
    expect((await extractMedia(sent, refOf)).files).toEqual([IMAGE]);
  });

  it.each([
    ['short', requestOf({ url: url(Buffer.alloc(100)) }) + ' '.repeat(2_000)],
    ['no base64', requestOf({ url: `${url(IMAGE)}*` })],
    ['of a URL amid a text', requestOf({ text: `see ${url(IMAGE)}` })],
    ['escaped in another way', requestOf({ url: url(IMAGE) }).replace('base64,', 'base64,\\u0041')],
    ['in parameters', requestOf({ url: url(IMAGE, 'image/png;a="b"') })],
    ['unpadded', requestOf({ url: url(IMAGE.subarray(0, 3_001)).replace(/=+$/, '') })],
    ['cut off', requestOf({ url: url(IMAGE) }).slice(0, 3_000)],
  ])('stay where they are: %s', async (_why, sent) => {
    expect(await extractMedia(sent, refOf)).toEqual({ json: sent, files: [] });
  });

  it('are as many as a body of 32 MiB can have, and other work has its turn meanwhile', async () => {
    const image = { url: url(randomBytes(1_200)) };
    const many = requestOf(...Array.from({ length: 10_000 }, () => image));
    const found = await turnsDuring(() => extractMedia(many, refOf));
    expect(found.result.files).toHaveLength(10_000);
    expect(found.turns).toBeGreaterThan(30);
    const marks = requestOf({ text: ';base64,'.repeat(1_000_000) });
    const looked = await turnsDuring(() => extractMedia(marks, refOf));
    expect(looked.result.files).toEqual([]);
    expect(looked.turns).toBeGreaterThan(500);
  });
});
