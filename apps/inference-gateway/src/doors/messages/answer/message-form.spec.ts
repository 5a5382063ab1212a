import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import { fuzzOf } from '@hone/testing/rounds';
import fc from 'fast-check';

import type { AnswerFailure } from '../../../dispatch/answer/answer-failure.js';
import type { ChatDelta, Chunk, Completion } from '../../translation/chat-json.js';
import { MessageForm } from './message-form.js';
import { MessageGrammar } from './message-grammar.fixture.js';

type Json = Record<string, unknown>;

const FUZZ = fuzzOf(1_000, 300);
const MODEL = 'm';
const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 7,
  prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
const FAILURE: AnswerFailure = {
  status: 502,
  type: 'upstream_error',
  code: 'stream_interrupted',
  message: 'The upstream broke off its answer.',
  param: null,
  headers: {},
  detail: null,
  streamCode: 'stream_interrupted',
};

/** What a model says, and how an upstream cuts it into chunks. */
interface Answer {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly reason: string;
  /** Random numbers that say where texts are cut, and which call is next. */
  readonly cuts: readonly number[];
  readonly isInterleaved: boolean;
}

const TEXT = fc.string({ unit: 'grapheme', maxLength: 30 });
/** Also arguments that were cut off, or that are no JSON at all. */
const ODD_CALL = fc.record({ id: fc.uuid(), name: fc.constant('f'), arguments: fc.string({ maxLength: 20 }) });
const CALL = fc.record({
  id: fc.uuid(),
  name: fc.constantFrom('f', 'get_weather'),
  arguments: fc.oneof(
    fc.constant(''),
    fc
      .dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }))
      .map((value) => JSON.stringify(value)),
  ),
});
const answerWith = (call: fc.Arbitrary<Answer['calls'][number]>): fc.Arbitrary<Answer> =>
  fc.record({
    reasoning: TEXT,
    text: TEXT,
    calls: fc.array(call, { maxLength: 4 }),
    reason: fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls'),
    cuts: fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }),
    isInterleaved: fc.boolean(),
  });
const ANSWER = answerWith(CALL);
const ODD_ANSWER = answerWith(ODD_CALL);

/** Draws from a list of numbers, over and over. */
function drawing(numbers: readonly number[]): (below: number) => number {
  let at = 0;
  return (below) => (numbers[at++ % numbers.length] as number) % below;
}

/** A text in pieces, which together are the text. */
function pieces(text: string, draw: (below: number) => number): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + 1 + draw(text.length - at);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

const callsOf = ({ calls }: Answer) =>
  calls.map(({ id, name, arguments: json }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: json },
  }));

const wholeOf = (answer: Answer): Completion => ({
  model: MODEL,
  choices: [
    {
      message: {
        content: answer.text || null,
        reasoning: answer.reasoning || null,
        ...(answer.calls.length > 0 && { tool_calls: callsOf(answer) }),
      },
      finish_reason: answer.reason,
    },
  ],
  usage: USAGE,
});

function deltasOf(answer: Answer): ChatDelta[] {
  const draw = drawing(answer.cuts);
  const deltas: ChatDelta[] = pieces(answer.reasoning, draw).map((reasoning) => ({ reasoning }));
  deltas.push(...pieces(answer.text, draw).map((content) => ({ content })));
  const queues = callsOf(answer).map(({ function: called, ...call }) => [
    { ...call, function: { name: called.name, arguments: '' } },
    ...pieces(called.arguments, draw).map((json) => ({ index: call.index, function: { arguments: json } })),
  ]);
  if (answer.isInterleaved) deltas.push(...queues.flatMap(([head]) => (head ? [{ tool_calls: [head] }] : [])));
  const rest = answer.isInterleaved ? queues.map(([, ...others]) => others) : queues;
  while (rest.some((queue) => queue.length > 0)) {
    const open = rest.filter((queue) => queue.length > 0);
    const queue = open[answer.isInterleaved ? draw(open.length) : 0]!;
    deltas.push({ tool_calls: [queue.shift()!] });
  }
  return deltas;
}

const chunksOf = (answer: Answer): Chunk[] => [
  { model: MODEL, choices: [{ delta: { content: '' } }] },
  ...deltasOf(answer).map((delta) => ({ model: MODEL, choices: [{ delta }] })),
  { model: MODEL, choices: [{ delta: {}, finish_reason: answer.reason }] },
  { model: MODEL, choices: [], usage: USAGE },
];

const aForm = (more: object = {}) => new MessageForm({ model: MODEL, ...more }, 'r');

function streamed(answer: Answer): MessageGrammar {
  const form = aForm();
  const chunks = chunksOf(answer).map((chunk) => form.chunk(chunk));
  return MessageGrammar.of(chunks.join('') + form.end());
}

/** The message that Anthropic's client makes of events. */
async function assembled({ events }: MessageGrammar): Promise<Json> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const stream = new Response(lines).body as ReadableStream;
  const message = await MessageStream.fromReadableStream(stream).finalMessage();
  return JSON.parse(JSON.stringify(message)) as Json;
}

describe('MessageForm', () => {
  it('writes events that follow the grammar, however an answer is cut', () => {
    fc.assert(
      fc.property(fc.oneof(ANSWER, ODD_ANSWER), (answer) => {
        expect(streamed(answer).end).toBe('message_stop');
      }),
      FUZZ,
    );
  });

  it('writes events of which Anthropic’s client makes the message that is not streamed', async () => {
    await fc.assert(
      fc.asyncProperty(ANSWER, async (answer) => {
        expect(await assembled(streamed(answer))).toMatchObject(aForm().whole(wholeOf(answer)));
      }),
      FUZZ,
    );
  });

  it('ends a failed stream with the error, wherever it fails', () => {
    fc.assert(
      fc.property(fc.oneof(ANSWER, ODD_ANSWER), fc.nat(), (answer, at) => {
        const chunks = chunksOf(answer);
        const form = aForm();
        const sent = chunks.slice(0, at % chunks.length).map((chunk) => form.chunk(chunk));
        const { end, errorCode } = MessageGrammar.of(sent.join('') + form.fail(FAILURE));
        expect([end, errorCode]).toEqual(['error', 'stream_interrupted']);
      }),
      FUZZ,
    );
  });

  const said = (message: ChatDelta, more: object = {}): Completion => ({
    model: MODEL,
    choices: [{ message, finish_reason: 'stop', ...more }],
    usage: USAGE,
  });

  it('writes a message', () => {
    expect(aForm().whole(said({ reasoning_content: 'Hm.', content: 'Yes.' }))).toEqual({
      id: 'msg_r',
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: '' },
        { type: 'text', text: 'Yes.', citations: [] },
      ],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      container: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 2,
        cache_read_input_tokens: 8,
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 3 },
        cache_creation: null,
        inference_geo: null,
        server_tool_use: null,
        service_tier: null,
      },
    });
  });

  it.each([
    [{ finish_reason: 'stop' }, 'end_turn', null],
    [{ finish_reason: 'stop', stop_reason: 'END' }, 'stop_sequence', 'END'],
    [{ finish_reason: 'stop', stop_reason: 7 }, 'end_turn', null],
    [{ finish_reason: 'length' }, 'max_tokens', null],
    [{ finish_reason: 'content_filter' }, 'refusal', null],
    [{ finish_reason: 'another' }, 'end_turn', null],
  ])('says why it ended: %j', (choice, stop_reason, stop_sequence) => {
    expect(aForm().whole(said({ content: 'x' }, choice))).toMatchObject({ stop_reason, stop_sequence });
  });

  it('calls a tool though the upstream says that it stopped', () => {
    const called = { content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"x":1}' } }] };
    expect(aForm().whole(said(called))).toMatchObject({
      content: [{ type: 'tool_use', id: 'a', name: 'f', caller: { type: 'direct' }, input: { x: 1 } }],
      stop_reason: 'tool_use',
    });
  });

  it('says that the model refuses, and why', () => {
    expect(aForm().whole(said({ content: null, refusal: 'I will not.' }))).toMatchObject({
      content: [{ type: 'text', text: 'I will not.' }],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: 'I will not.' },
    });
  });

  it('shows arguments that are no JSON as they are', () => {
    const called = { content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"x":' } }] };
    expect(aForm().whole(said(called))).toMatchObject({ content: [{ input: { unparsed: '{"x":' } }] });
  });

  it.each([{ type: 'disabled' }, { type: 'adaptive', display: 'omitted' }])(
    'shows no reasoning if asked: %j',
    (thinking) => {
      expect(aForm({ thinking }).whole(said({ reasoning: 'Hm.', content: 'Yes.' }))).toMatchObject({
        content: [{ type: 'text', text: 'Yes.' }],
      });
    },
  );
});
