import { Readable } from 'node:stream';

import { toSdkAnswer } from './sdk-answer.js';

const LINE = '{"run_id":1,"output":"hone:///e/p/op/x:v0"}\n';
const SDK_LINE = '{"wb_run_id":1,"output":"weave:///e/p/op/x:v0"}\n';

const textOf = async (answer: Buffer | Readable): Promise<string> => {
  if (Buffer.isBuffer(answer)) return answer.toString();
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

describe('an answer for an SDK', () => {
  it.each([
    ['a short text', LINE.repeat(3), 3],
    ['a long text', LINE.repeat(20_000), 20_000],
    [
      'a stream',
      Readable.from([Buffer.from(LINE.repeat(2)), Buffer.from(LINE.slice(0, 9)), Buffer.from(LINE.slice(9))]),
      3,
    ],
    ['a stream of one large chunk', Readable.from([Buffer.from(LINE.repeat(20_000))]), 20_000],
    ['an empty stream', Readable.from([]), 0],
  ])('has other names: %s', async (_what, answer, lines) => {
    expect((await textOf(toSdkAnswer(answer, 'hone', '/calls/stream_query'))) === SDK_LINE.repeat(lines)).toBe(true);
  });

  it('breaks off where its source does', async () => {
    async function* broken() {
      yield Buffer.from(LINE);
      await Promise.reject(new Error('late'));
    }
    const answer = toSdkAnswer(Readable.from(broken()), 'hone', '/calls/stream_query');
    await expect(textOf(answer)).rejects.toThrow('late');
  });

  it('reads no further than its reader, and ends its source with it', async () => {
    let made = 0;
    const source = new Readable({
      read() {
        made++;
        this.push(Buffer.alloc(65_536, LINE));
      },
    });
    const answer = toSdkAnswer(source, 'hone', '/calls/stream_query') as Readable;
    await new Promise((resolve) => answer.once('readable', resolve));
    await new Promise(setImmediate);
    expect(made).toBeLessThan(10);
    answer.destroy();
    await new Promise((resolve) => (source.closed ? resolve(null) : source.once('close', resolve)));
  });

  it('ends its source when nobody has read from it', async () => {
    const source = new Readable({ read: () => undefined });
    (toSdkAnswer(source, 'hone', '/calls/stream_query') as Readable).destroy();
    await new Promise((resolve) => (source.closed ? resolve(null) : source.once('close', resolve)));
  });
});
