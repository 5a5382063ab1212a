import fc from 'fast-check';

import type { ReplySink } from '../../chat/reply-sink.js';
import { MessageForm } from '../messages/answer/message-form.js';
import { ResponseForm } from '../responses/answer/response-form.js';
import type { AnswerForm } from './answer-form.js';
import { TranslatedSink } from './translated-sink.js';

const FORMS: Record<string, () => AnswerForm> = {
  responses: () => new ResponseForm({ model: 'm', input: 'x' }, 'r', false),
  messages: () => new MessageForm({ model: 'm' }, 'r'),
};
const HEAD = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm' };

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', 'é\u2028', '\ud83d\ude00', ''));
/** Mostly what the fast way reads; among them all that it must leave to the other. */
const delta = fc.oneof(
  { weight: 6, arbitrary: fc.record({ content: text }) },
  { weight: 1, arbitrary: fc.record({ content: text, role: fc.constant('assistant') }) },
  { weight: 1, arbitrary: fc.record({ reasoning: text }) },
  { weight: 1, arbitrary: fc.record({ refusal: text }) },
  {
    weight: 1,
    arbitrary: fc.record({
      tool_calls: fc.constant([{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }]),
    }),
  },
);

/** What a sink writes of these frames, put together by `cuts`: whole frames in one write, as they come. */
function written(form: AnswerForm, frames: readonly string[], perWrite: number): string {
  const sent: Buffer[] = [];
  const reply = { keep: () => undefined, send: (bytes: Buffer) => sent.push(bytes) > 0 };
  const sink = new TranslatedSink(reply as unknown as ReplySink, form, true);
  for (let at = 0; at < frames.length; at += perWrite) {
    sink.write(Buffer.from(frames.slice(at, at + perWrite).join('')));
  }
  return Buffer.concat(sent).toString() + form.end();
}

/** The form without its fast way. */
const slow = (form: AnswerForm): AnswerForm => ({
  whole: (completion) => form.whole(completion),
  chunk: (chunk) => form.chunk(chunk),
  end: () => form.end(),
  fail: (failure) => form.fail(failure),
});

/** The same text may be escaped in more than one way. */
const parsed = (events: string): unknown[] =>
  events
    .split('\n\n')
    .map((frame) => frame.split('\n'))
    .map(([event, data]) => [event, data?.startsWith('data: {') ? (JSON.parse(data.slice(6)) as unknown) : data]);

describe.each(Object.keys(FORMS))('TranslatedSink, %s', (name) => {
  const form = FORMS[name] as () => AnswerForm;

  it('writes of frames that add a text alone what it would write of them as chunks', () => {
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 20 }), fc.integer({ min: 1, max: 5 }), (deltas, perWrite) => {
        const frames = deltas.map(
          (each) =>
            `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, delta: each, finish_reason: null }] })}\n\n`,
        );
        const [fast, plain] = [written(form(), frames, perWrite), written(slow(form()), frames, perWrite)];
        expect(timeless(parsed(fast))).toEqual(timeless(parsed(plain)));
      }),
      { numRuns: 300 },
    );
  });

  it('does not read such a frame as a chunk, once it has seen one', () => {
    const one = form();
    let chunks = 0;
    const counting: AnswerForm = {
      ...slow(one),
      chunk: (chunk) => (chunks++, one.chunk(chunk)),
      text: (json) => one.text?.(json) ?? null,
    };
    const frames = ['Hi', ' "you"', '\n'].map(
      (content) => `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, delta: { content } }] })}\n\n`,
    );
    expect(written(counting, frames, 1)).toContain('you');
    expect(chunks).toBe(1);
  });
});

/** Without the time at which the answer ended. */
const timeless = (events: unknown): unknown =>
  JSON.parse(JSON.stringify(events), (key, value: unknown) => (key === 'completed_at' ? null : value));
