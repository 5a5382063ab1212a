import { fuzzOf } from '@hone/testing/rounds';
import fc from 'fast-check';

import type { ChatTranslator } from '../../wire/chat-translator.js';
import { MessageToChat } from '../../wire/messages/message-to-chat.js';
import { ResponseToChat } from '../../wire/responses/response-to-chat.js';
import { eventsIn } from '../../wire/sse/events-in.js';
import { MessageForm } from '../messages/answer/message-form.js';
import { ResponseForm } from '../responses/answer/response-form.js';
import type { AnswerForm } from './answer-form.js';
import type { ChatDelta, Chunk, Completion } from './chat-json.js';

const HEAD = { created: 1, model: 'm' };
const USAGE = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };

const text = fc.string({ maxLength: 12, unit: 'binary' });
const answers = fc
  .record({
    reasoning: text,
    content: text,
    calls: fc.array(
      fc.record({ name: fc.string({ minLength: 1, maxLength: 8 }), input: fc.dictionary(text, fc.jsonValue()) }),
      {
        maxLength: 3,
      },
    ),
    isCut: fc.boolean(),
  })
  .map(({ calls, isCut, ...said }) => ({
    ...said,
    calls: calls.map(({ name, input }, at) => ({ id: `call_${at}`, name, arguments: JSON.stringify(input) })),
    finish: isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
  }));
type Answer = typeof answers extends fc.Arbitrary<infer T> ? T : never;
/** Lengths of the pieces in which texts come. */
const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 });

function pieces(whole: string, lengths: readonly number[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < whole.length; at += found.at(-1)!.length) {
    found.push(whole.slice(at, at + lengths[found.length % lengths.length]!));
  }
  return found;
}

function chunksOf({ reasoning, content, calls, finish }: Answer, lengths: readonly number[]): Chunk[] {
  const deltas: ChatDelta[] = [
    ...pieces(reasoning, lengths).map((piece) => ({ reasoning: piece })),
    ...pieces(content, lengths).map((piece) => ({ content: piece })),
    ...calls.flatMap(({ id, name, arguments: whole }, index) => [
      { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
      ...pieces(whole, lengths).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
  return [
    ...deltas.map((delta) => ({ ...HEAD, choices: [{ delta, finish_reason: null }] })),
    { ...HEAD, choices: [{ delta: {}, finish_reason: finish }] },
    { ...HEAD, choices: [], usage: USAGE },
  ];
}

const completionOf = ({ reasoning, content, calls, finish }: Answer): Completion => ({
  ...HEAD,
  usage: USAGE,
  choices: [
    {
      message: {
        reasoning,
        content,
        tool_calls: calls.map(({ id, ...called }) => ({ id, type: 'function', function: called })),
      },
      finish_reason: finish,
    },
  ],
});

/** What was said, put together from chunks or read from a whole answer, with the arguments as values. */
class Said {
  reasoning = '';
  content = '';
  finish: unknown = null;
  usage: unknown = null;
  readonly calls: { name: string; arguments: string }[] = [];

  static of(chunks: readonly Record<string, unknown>[]): Said {
    const said = new Said();
    for (const { choices, usage } of chunks as unknown as Chunk[]) {
      said.usage = usage ?? said.usage;
      for (const { delta, message, finish_reason: finish } of (choices ?? []) as Completion['choices'] &
        Chunk['choices']) {
        said.add(delta ?? message ?? {});
        said.finish = finish ?? said.finish;
      }
    }
    return said;
  }

  get all(): object {
    const calls = this.calls.map(({ name, arguments: json }) => ({ name, input: JSON.parse(json) as unknown }));
    return { reasoning: this.reasoning, content: this.content, calls, finish: this.finish };
  }

  private add({ reasoning, content, tool_calls: calls }: ChatDelta): void {
    this.reasoning += reasoning ?? '';
    this.content += content ?? '';
    for (const [at, { index = at, function: called }] of (calls ?? []).entries()) {
      const call = (this.calls[index] ??= { name: '', arguments: '' });
      call.name += called?.name ?? '';
      call.arguments += called?.arguments ?? '';
    }
  }
}

/** What an answer is expected to come back as. */
const expectedOf = ({ reasoning, content, calls, finish }: Answer): object => ({
  ...{ reasoning, content, finish },
  calls: calls.map(({ name, arguments: json }) => ({ name, input: JSON.parse(json) as unknown })),
});

describe.each<[string, () => AnswerForm, () => ChatTranslator]>([
  ['responses', () => new ResponseForm({ ...HEAD, input: 'x' }, 'r', false), () => new ResponseToChat('c', 'm')],
  ['messages', () => new MessageForm(HEAD, 'r'), () => new MessageToChat('c', 'm', false)],
])('chats as %s', (_name, makeForm, makeTranslator) => {
  it('come back as they were, streamed', () => {
    fc.assert(
      fc.property(answers, sizes, (answer, lengths) => {
        const form = makeForm();
        const events = chunksOf(answer, lengths).map((chunk) => form.chunk(chunk));
        const translator = makeTranslator();
        const chunks = eventsIn(Buffer.from([...events, form.end()].join(''))).flatMap((event) =>
          translator.chunks(event),
        );
        const said = Said.of(chunks);
        expect(said.all).toEqual(expectedOf(answer));
        expect(said.usage).toMatchObject(USAGE);
      }),
      fuzzOf(1_000),
    );
  });

  it('come back as they were, whole', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const whole = JSON.parse(JSON.stringify(makeForm().whole(completionOf(answer)))) as Record<string, unknown>;
        const said = Said.of([makeTranslator().whole(whole)]);
        expect(said.all).toEqual(expectedOf(answer));
        expect(said.usage).toMatchObject(USAGE);
      }),
      fuzzOf(1_000),
    );
  });
});
