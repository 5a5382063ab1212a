import fc from 'fast-check';

import { nativeReader } from '../targets/http/native/native-readers.js';
import { NativeStream } from '../targets/http/native/native-stream.js';
import { ChatFrames } from './chat-frames.js';
import type { ChatTranslator } from './chat-translator.js';
import { MessageToChat } from './messages/message-to-chat.js';
import { ResponseToChat } from './responses/response-to-chat.js';
import { eventsIn } from './sse/events-in.js';

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

const frame = (event: Event): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', 'é\u2028', '\ud83d\ude00', '', '"content":"'),
);
const index = fc.constantFrom(0, 0, 0, 1);

/** Mostly events of text; among them all that looks like them and says more. */
const DOORS = {
  responses: {
    translator: (): ChatTranslator => new ResponseToChat('c', 'm'),
    begin: [] as Event[],
    event: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          type: fc.constant('response.output_text.delta'),
          sequence_number: fc.nat(),
          item_id: fc.constant('i'),
          content_index: index,
          delta: text,
          logprobs: fc.constantFrom([], [], [{ token: 'a', logprob: -1, bytes: [], top_logprobs: [] }]),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('response.output_text.delta'),
          delta: text,
          sequence_number: fc.nat(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ type: fc.constant('response.output_text.delta'), delta: text, obfuscation: text }),
      },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('response.refusal.delta'), delta: text }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('response.reasoning_text.delta'), delta: text }) },
    ),
  },
  messages: {
    translator: (): ChatTranslator => new MessageToChat('c', 'm', true),
    begin: [0, 1].map((at) => ({
      type: 'content_block_start',
      index: at,
      content_block: { type: 'text', text: '' },
    })) as Event[],
    event: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          type: fc.constant('content_block_delta'),
          index,
          delta: fc.record({ type: fc.constant('text_delta'), text }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('content_block_delta'),
          index,
          delta: fc.record({ type: fc.constantFrom('thinking_delta', 'text_delta'), thinking: text, text }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('ping') }) },
    ),
  },
};

describe.each(['responses', 'messages'] as const)('frames of %s', (door) => {
  const { translator, begin, event } = DOORS[door];
  const runs = fc.tuple(fc.array(event as fc.Arbitrary<Event>, { maxLength: 20 }), fc.integer({ min: 1, max: 5 }));
  const writes = (frames: string[], perWrite: number) =>
    Array.from({ length: Math.ceil(frames.length / perWrite) }, (_, at) =>
      Buffer.from(frames.slice(at * perWrite, (at + 1) * perWrite).join('')),
    );

  it('become the chunks that their events become', () => {
    fc.assert(
      fc.property(runs, ([events, perWrite]) => {
        const frames = [...begin, ...events].map(frame);
        const [fast, plain] = [new ChatFrames(translator()), translator()];
        const written = writes(frames, perWrite)
          .map((bytes) => fast.of(bytes))
          .join('');
        const expected = eventsIn(Buffer.from(frames.join(''))).flatMap((each) => plain.chunks(each));
        expect(timeless(eventsIn(Buffer.from(written)))).toEqual(timeless(expected));
      }),
      { numRuns: 300 },
    );
  });

  it.each(['before', 'behind'])('are not parsed when they add a text alone, once one was, number %s', (place) => {
    const plain = translator();
    let parsed = 0;
    const frames = new ChatFrames({ whole: plain.whole, chunks: (each) => (parsed++, plain.chunks(each)) });
    const words = ['Hi', ' "you"', 'é'].map((word, at) =>
      door === 'responses'
        ? { type: 'response.output_text.delta', ...inOrder({ sequence_number: 8 + at }, { delta: word }, place) }
        : { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } },
    );
    const written = words.map((word) => frames.of(Buffer.from(frame(word)))).join('');
    expect(written).toContain('"content":"é"');
    expect(parsed).toBe(1);
  });

  it('pass a reader as they are, and count, however they are cut', () => {
    fc.assert(
      fc.property(runs, fc.boolean(), ([events, perWrite], isTiny) => {
        const all = [...begin, ...events].map(frame).join('');
        const stream = new NativeStream(nativeReader(door), new Map([['id', 'ours']]));
        const chunks = isTiny
          ? [...Buffer.from(all)].map((byte) => Buffer.from([byte]))
          : writes([...begin, ...events].map(frame), perWrite);
        const shown = chunks.map((chunk) => stream.push(chunk).frames?.toString() ?? '').join('');
        expect(shown).toBe(all);
        expect(stream.tokenFrames).toBe(events.filter(({ type }) => /delta$/.test(type)).length);
      }),
      { numRuns: 100 },
    );
  });
});

it('reads a frame that differs in more than its text and number, and one that is no UTF-8', () => {
  const word = (delta: string, more = {}): string =>
    frame({ type: 'response.output_text.delta', sequence_number: 7, delta, logprobs: [], ...more });
  const stream = new NativeStream(nativeReader('responses'), new Map());
  const push = (bytes: Buffer) => stream.push(bytes).failure?.reason ?? null;
  expect(push(Buffer.from(word('a') + word('b')))).toBeNull();
  const broken = Buffer.from(word('é'));
  broken[broken.indexOf(0xc3)] = 0xff;
  expect(push(broken)).toBe('damaged');
});

const inOrder = (number: object, delta: object, place: string): object =>
  place === 'before' ? { ...number, ...delta } : { ...delta, ...number };

/** Each translator begins when it is made. */
const timeless = (chunks: unknown): unknown =>
  JSON.parse(JSON.stringify(chunks), (key, value: unknown) => (key === 'created' ? 0 : value));
