import { HoneError } from './errors/hone-error.js';
import { Hone } from './hone.js';

/** A client whose server answers with these events, and what it was sent. */
function answering(...events: readonly (object | string)[]) {
  const sent: { url: string; body: unknown }[] = [];
  const text = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
  const hone = new Hone({
    baseUrl: 'http://hone',
    fetch: (url, init) => {
      sent.push({ url: String(url), body: JSON.parse(String(init?.body)) });
      return Promise.resolve(new Response(text));
    },
  });
  return { hone, sent };
}

async function read(events: AsyncIterable<unknown>): Promise<{ seen: unknown[]; error: unknown }> {
  const seen: unknown[] = [];
  try {
    for await (const event of events) seen.push(event);
    return { seen, error: null };
  } catch (error) {
    return { seen, error };
  }
}

const RESPONSE = { model: 'm', input: 'x' };
const MESSAGE = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] };
const DELTA = { type: 'response.output_text.delta', delta: 'a' };

describe('the events of an answer', () => {
  it('are those of a response, to its last', async () => {
    const end = { type: 'response.completed', response: { id: 'resp_1' } };
    const { hone, sent } = answering(DELTA, end, '[DONE]');
    expect(await read(hone.inference.streamResponse(RESPONSE))).toEqual({ seen: [DELTA, end], error: null });
    expect(sent).toEqual([{ url: 'http://hone/v1/responses', body: { ...RESPONSE, stream: true } }]);
  });

  it('are those of a message, to its last', async () => {
    const all = [{ type: 'message_start' }, { type: 'ping' }, { type: 'message_stop' }];
    const { hone, sent } = answering(...all);
    expect(await read(hone.inference.streamMessage(MESSAGE))).toEqual({ seen: all, error: null });
    expect(sent).toEqual([{ url: 'http://hone/v1/messages', body: { ...MESSAGE, stream: true } }]);
  });

  it.each([
    [{ type: 'error', message: 'top', error: { message: 'The model failed.' } }],
    [{ type: 'error', message: 'The model failed.' }],
    [{ type: 'response.failed', response: { error: { message: 'The model failed.' } } }],
  ])('end where the model fails: %j', async (failure) => {
    const { hone } = answering(DELTA, failure);
    const { seen, error } = await read(hone.inference.streamResponse(RESPONSE));
    expect(seen).toEqual([DELTA]);
    expect(error).toBeInstanceOf(HoneError);
    expect((error as Error).message).toBe('The model failed.');
  });

  it('that are cut off are an error', async () => {
    const { hone } = answering(DELTA);
    expect((await read(hone.inference.streamResponse(RESPONSE))).error).toEqual(
      new HoneError('The answer ended before its end was announced.'),
    );
    expect((await read(hone.inference.streamMessage(MESSAGE))).error).toBeInstanceOf(HoneError);
    expect((await read(hone.inference.streamChatCompletion(MESSAGE))).error).toBeInstanceOf(HoneError);
  });
});
