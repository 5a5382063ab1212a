import type { NativeEndpoint } from '../../../shared/endpoint.js';
import { nativeReader } from './native-readers.js';
import { NativeStream } from './native-stream.js';

type Event = { type: string } & Record<string, unknown>;

const frame = (event: Event): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const HEAD = new Map([
  ['id', 'ours'],
  ['previous_response_id', 'resp_before'],
]);
const USAGE = { prompt: 9, completion: 8 };

const start: Event = {
  type: 'message_start',
  message: { id: 'msg_theirs', usage: { input_tokens: 9, output_tokens: 1 } },
};
const opening: Event = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const word = (index = 0): Event => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: 'a' } });
const end = (reason = 'end_turn', usage: object = { output_tokens: USAGE.completion }): Event => ({
  type: 'message_delta',
  delta: { stop_reason: reason },
  usage,
});
const stop: Event = { type: 'message_stop' };

function read(endpoint: NativeEndpoint, ...events: Event[]) {
  const reader = nativeReader(endpoint);
  const stream = new NativeStream(reader, HEAD);
  const steps = events.map((event) => stream.push(Buffer.from(frame(event))));
  const frames = steps.map(({ frames: shown }) => shown?.toString() ?? '').join('');
  return { stream, steps, frames, last: steps.at(-1)!, failure: steps.find((step) => step.failure)?.failure ?? null };
}

describe('a stream of messages', () => {
  it('holds back its end, and is the same bytes but for its id', () => {
    const { stream, frames } = read('messages', start, opening, word(), end(), stop);
    expect(frames).toBe([start, opening, word()].map(frame).join('').replace('msg_theirs', 'ours'));
    expect(stream.takeRest().toString()).toBe([end(), stop].map(frame).join(''));
    expect(stream).toMatchObject({ isFinished: true, isDone: true, finishReasons: ['stop'] });
    expect(stream.usage).toMatchObject({ promptTokens: 9, completionTokens: 8, source: 'upstream' });
  });

  it('gets the end that its upstream leaves out', () => {
    const { stream } = read('messages', start, opening, word(), end('max_tokens'));
    expect(stream.end().failure).toBeNull();
    expect(stream.takeRest().toString()).toBe(frame(end('max_tokens')) + frame(stop));
    expect(stream.finishReasons).toEqual(['length']);
  });

  it('counts the prompt that was cached, and no usage that its end does not report', () => {
    const counts = { cache_read_input_tokens: 4, cache_creation_input_tokens: 2, output_tokens: 8 };
    expect(read('messages', start, opening, end('end_turn', counts)).stream.usage).toMatchObject({
      ...{ promptTokens: 15, cachedTokens: 4, cacheWriteTokens: 2, completionTokens: 8 },
    });
    const { usage: _, ...unreported } = end();
    expect(read('messages', start, opening, unreported as Event).stream.usage).toBeNull();
  });

  it('is no answer before its first word, and is kept alive by no ping', () => {
    const { steps } = read('messages', start, opening, { type: 'ping' }, word());
    expect(steps.map(({ hasAnswer }) => hasAnswer)).toEqual([false, false, false, true]);
    expect(steps.map(({ hasAdvanced }) => hasAdvanced)).toEqual([true, true, false, true]);
  });

  it.each<[string, Event[], string]>([
    ['a block whose beginning was lost', [start, opening, word(1)], 'damaged'],
    ['more after its end', [start, opening, end(), word()], 'damaged'],
    ['another end', [start, opening, end(), end('max_tokens')], 'damaged'],
    ['a stop without an end', [start, opening, stop], 'interrupted'],
    ['an overload', [start, { type: 'error', error: { type: 'overloaded_error', message: 'x' } }], 'reported'],
    ['a limit', [{ type: 'error', error: { type: 'rate_limit_error', message: 'x' } }], 'rate_limited'],
    [
      'a prompt that is too long',
      [{ type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' } }],
      'context_length',
    ],
  ])('fails by %s', (_case, events, reason) => {
    expect(read('messages', ...events).failure).toMatchObject({ reason });
  });

  it('keeps an event that its reader does not know', () => {
    const later: Event = { type: 'content_block_hint', index: 0 };
    expect(read('messages', start, opening, later).frames).toContain('content_block_hint');
  });
});

describe('a stream of responses', () => {
  const response = (status: string, more: object = {}) => ({
    response: { id: 'resp_theirs', status, output: [], usage: { input_tokens: 9, output_tokens: 8 }, ...more },
  });
  const created: Event = { type: 'response.created', ...response('in_progress') };
  const delta: Event = { type: 'response.output_text.delta', delta: 'a' };
  const completed: Event = { type: 'response.completed', ...response('completed') };

  it('ends with its last event, and is the same bytes but for its id', () => {
    const { stream, frames } = read('responses', created, delta, completed);
    expect(frames).toBe([created, delta].map(frame).join('').replace('resp_theirs', 'ours'));
    expect(stream.takeRest().toString()).toBe(`${frame(completed).replace('resp_theirs', 'ours')}data: [DONE]\n\n`);
    expect(stream).toMatchObject({ isDone: true, finishReasons: ['stop'] });
    expect(stream.usage).toMatchObject({ promptTokens: 9, completionTokens: 8 });
  });

  it.each<[string, Event, object]>([
    ['max_output_tokens', { type: 'response.incomplete', ...response('incomplete') }, ['length']],
    [
      'content_filter',
      { type: 'response.incomplete', ...response('incomplete', { incomplete_details: { reason: 'content_filter' } }) },
      ['content_filter'],
    ],
  ])('may end early by %s', (_reason, event, reasons) => {
    expect(read('responses', created, delta, event).stream.finishReasons).toEqual(reasons);
  });

  it.each<[string, Event, string]>([
    [
      'its own report',
      { type: 'response.failed', ...response('failed', { error: { code: 'server_error' } }) },
      'reported',
    ],
    [
      'a limit',
      { type: 'response.failed', ...response('failed', { error: { code: 'rate_limit_exceeded' } }) },
      'rate_limited',
    ],
    ['an error', { type: 'error', code: 'context_length_exceeded', message: 'x' }, 'context_length'],
    ['an end without a response', { type: 'response.completed' }, 'invalid'],
  ])('fails by %s', (_case, event, reason) => {
    expect(read('responses', created, delta, event).failure).toMatchObject({ reason });
  });

  it('takes a built-in tool at work for an answer, and an item that only begins for none', () => {
    const { steps } = read(
      'responses',
      created,
      { type: 'response.output_item.added' },
      { type: 'response.web_search_call.searching' },
    );
    expect(steps.map(({ hasAnswer }) => hasAnswer)).toEqual([false, false, true]);
  });

  it('have the id that they continue, wherever it stands, if they have one at all', () => {
    const head = (first: object, last: object) =>
      read('responses', { type: 'response.created', response: { ...first, object: 'response', ...last } }).frames;
    const shown = '"response":{"previous_response_id":"resp_before","object":"response","id":"ours"}';
    expect(head({ previous_response_id: null }, { id: 'theirs' })).toContain(shown);
    expect(head({}, { id: 'theirs' })).toContain('"response":{"object":"response","id":"ours"}');
  });

  it('reads events on several lines, with CRLF', () => {
    const stream = new NativeStream(nativeReader('responses'), HEAD);
    const lines =
      'event: response.created\r\ndata: {"type":"response.created",\r\ndata: "response":{"id":"x"}}\r\n\r\n';
    const { frames } = stream.push(Buffer.from(lines));
    expect(frames?.toString()).toMatch(/^event: response\.created\r\ndata: .*"response":\{"id":"ours"\}\}\r\n\r\n$/s);
  });
});
