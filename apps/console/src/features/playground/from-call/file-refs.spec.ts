import { withFiles } from './file-refs.js';

const REF = 'hone:///acme/demo/file/d1';

describe('files that the gateway took out of a chat', () => {
  it('are put back, each read once', async () => {
    const asked: string[] = [];
    const read = async (digest: string) => {
      asked.push(digest);
      return `base64 of ${digest}`;
    };
    const value = {
      messages: [
        { content: [{ type: 'image_url', image_url: { url: `${REF}?type=image/png` } }, { text: REF }, 7, null] },
        { content: [{ input_audio: { format: 'wav', data: 'sent:///acme/demo/file/d1' } }] },
        { content: REF },
        { url: 'hone:///acme/other/file/d1', odd: `${REF}/x`, call: 'hone:///acme/demo/call/d1' },
      ],
    };
    const { value: filled, missing } = await withFiles(value, 'acme/demo', read);
    expect(filled).toEqual({
      messages: [
        {
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,base64 of d1' } },
            { text: REF },
            7,
            null,
          ],
        },
        { content: [{ input_audio: { format: 'wav', data: 'base64 of d1' } }] },
        ...value.messages.slice(2),
      ],
    });
    expect(missing).toBe(0);
    expect(asked).toEqual(['d1']);
  });

  it('stay refs where they are gone', async () => {
    expect(await withFiles([{ url: REF }], 'acme/demo', async () => null)).toEqual({
      value: [{ url: REF }],
      missing: 1,
    });
  });
});
