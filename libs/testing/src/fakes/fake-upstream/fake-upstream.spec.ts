import { until } from '../../until.js';
import { FakeUpstream } from './fake-upstream.js';

describe('the fake upstream', () => {
  let fake: FakeUpstream;
  beforeAll(async () => (fake = await FakeUpstream.start({ name: 'a' })));
  afterAll(() => fake.stop());
  beforeEach(() => fake.forget());

  const messages = [{ role: 'user', content: 'hi' }];
  const post = (body: Record<string, unknown>, signal?: AbortSignal) =>
    fetch(`${fake.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': 'rid-1' },
      body: JSON.stringify({ messages, ...body }),
      signal,
    });
  const stream = async (model: string, more: Record<string, unknown> = {}) =>
    (await post({ model, stream: true, ...more })).text();
  const dataOf = (text: string) => text.split('\n\n').flatMap((frame) => (frame ? [frame.replace('data: ', '')] : []));

  it('streams a role, tokens, a finish, the usage that was asked for, and the end', async () => {
    const frames = dataOf(await stream('ok+tokens@2', { stream_options: { include_usage: true } }));
    const sent = frames.slice(0, -1).map((frame) => JSON.parse(frame));
    expect(sent.map(({ choices: [choice] }) => [choice?.delta.content, choice?.finish_reason])).toEqual([
      ['', null],
      ['a0', null],
      [' a1', null],
      [undefined, 'stop'],
      [undefined, undefined],
    ]);
    expect(sent.at(-1).usage.completion_tokens).toBe(3);
    expect(frames.at(-1)).toBe('[DONE]');
  });

  it('answers in one body what it would stream', async () => {
    const answer = JSON.parse(await (await post({ model: 'ok+tokens@3' })).text());
    expect(answer.choices[0]).toMatchObject({ message: { content: 'a0 a1 a2' }, finish_reason: 'stop' });
    expect(answer.usage.total_tokens).toBe(13);
  });

  it('ends an answer after the token that the name says, without an end of the body', async () => {
    const response = await post({ model: 'cut@1', stream: true });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const readToEnd = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += Buffer.from(part.value);
    };
    await expect(readToEnd()).rejects.toThrow('terminated');
    expect(text).toContain('"a0"');
    expect(text).not.toContain('a1');
  });

  it('has statuses with headers', async () => {
    const response = await post({ model: 'rate-limit+retry-after@2' });
    expect(response.headers.get('retry-after')).toBe('2');
    expect(response.status).toBe(429);
  });

  it('recovers after as many requests as `times` says', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await post({ model: 'status@503+times@2' })).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('keeps what it received, and when its client went away', async () => {
    const controller = new AbortController();
    await post({ model: 'stall@1', stream: true }, controller.signal);
    const [received] = fake.requests;
    expect(received).toMatchObject({ model: 'stall@1', abortedAtMs: null });
    expect(received?.headers['x-request-id']).toBe('rid-1');
    expect(JSON.parse(String(received?.body)).stream).toBe(true);
    controller.abort();
    await until(() => received?.isOver, 'the end of the request');
    expect(received?.abortedAtMs).toBeGreaterThan(received?.atMs as number);
  });

  it('writes the same answer with other line ends, spaces, comments and lines', async () => {
    expect(await stream('ok+crlf')).toContain('\r\n\r\n');
    expect(await stream('ok+spaces')).toContain('"finish_reason": null');
    expect(await stream('ok+comments')).toContain(': a comment\n\n');
    expect(await stream('ok+multi-line')).toContain(',\ndata: "choices"');
    const model = 'ok+tiny';
    expect(await stream(model)).toContain('[DONE]');
  });

  it('knows no other model', async () => {
    expect((await post({ model: 'okay' })).status).toBe(404);
  });
});
