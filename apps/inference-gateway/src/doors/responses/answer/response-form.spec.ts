import fc from 'fast-check';

import { ownFailure } from '../../../dispatch/answer/answer-failure.js';
import type { ChatDelta, Completion } from '../../translation/chat-json.js';
import { ResponseForm } from './response-form.js';
import { ResponseGrammar } from './response-grammar.fixture.js';

const ASKED = { model: 'm', input: 'x' };
const USAGE = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };

const text = fc.string({ minLength: 1, maxLength: 12, unit: 'binary' });
const message = fc.record({
  reasoning: fc.option(text, { nil: undefined }),
  content: fc.option(text, { nil: null }),
  refusal: fc.option(text, { nil: null }),
  calls: fc.array(fc.record({ name: text, arguments: text, isCustom: fc.boolean() }), { maxLength: 3 }),
});
type Message = typeof message extends fc.Arbitrary<infer T> ? T : never;
/** Cuts a text into pieces at these shares of its length. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 });

const callOf = ({ name, arguments: args, isCustom }: Message['calls'][number], at: number) => ({
  id: `call_${at}`,
  ...(isCustom
    ? { type: 'custom', custom: { name, input: args } }
    : { type: 'function', function: { name, arguments: args } }),
});

const completionOf = ({ calls, ...said }: Message, finish_reason: string): Completion => ({
  created: 1,
  model: 'n',
  usage: USAGE,
  choices: [{ message: { ...said, tool_calls: calls.map(callOf) }, finish_reason }],
});

function pieces(whole: string, at: readonly number[]): string[] {
  const ends = [...at.map((share) => Math.floor(share * whole.length)), whole.length].sort((one, other) => one - other);
  return ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
}

function deltasOf({ reasoning, content, refusal, calls }: Message, at: readonly number[]): ChatDelta[] {
  const named = (name: string) => (piece: string) => ({ [name]: piece });
  return [
    ...pieces(reasoning ?? '', at).map(named('reasoning')),
    ...pieces(content ?? '', at).map(named('content')),
    ...pieces(refusal ?? '', at).map(named('refusal')),
    ...calls.flatMap((call, index) => {
      const [first = '', ...rest] = pieces(call.arguments, at);
      const part = (piece: string) =>
        call.isCustom ? { custom: { input: piece } } : { function: { arguments: piece } };
      return [
        { ...callOf({ ...call, arguments: first }, index), index },
        ...rest.map((piece) => ({ index, ...part(piece) })),
      ].map((one) => ({ tool_calls: [one] }));
    }),
  ];
}

function streamOf(form: ResponseForm, said: Message, at: readonly number[], finish: string): string {
  const head = { created: 1, model: 'n' };
  const chunks = deltasOf(said, at).map((delta) => form.chunk({ ...head, choices: [{ delta, finish_reason: null }] }));
  const end = form.chunk({ ...head, choices: [{ delta: {}, finish_reason: finish }] });
  return [...chunks, end, form.chunk({ ...head, choices: [], usage: USAGE }), form.end()].join('');
}

/** Without the time at which it was made. */
const timeless = ({ completed_at: _time, ...response }: Record<string, unknown>) => response;
const finishes = fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls');

describe('ResponseForm', () => {
  it('calls a tool in a namespace as the request has it, and others by their names', () => {
    const tools = [
      { type: 'namespace', name: 'crm', tools: [{ type: 'function', name: 'find' }] },
      { type: 'namespace', name: 'wrong', tools: 'none' },
    ];
    const said = ['crm__find', 'crm__other'].map((name) => ({ name, arguments: '{}', isCustom: false }));
    const asked = { ...ASKED, tools };
    const message = { reasoning: undefined, content: null, refusal: null, calls: said };
    const called = [
      { type: 'function_call', call_id: 'call_0', namespace: 'crm', name: 'find', arguments: '{}' },
      { type: 'function_call', call_id: 'call_1', name: 'crm__other', arguments: '{}' },
    ];
    const whole = new ResponseForm(asked, 'r', false).whole(completionOf(message, 'tool_calls'));
    expect(whole).toMatchObject({ output: called, tools });
    expect((whole as { output: object[] }).output[1]).not.toHaveProperty('namespace');
    const grammar = ResponseGrammar.of(streamOf(new ResponseForm(asked, 'r', false), message, [0.5], 'tool_calls'));
    expect(grammar.response).toMatchObject({ output: called, tools });
  });

  it('writes events of the grammar, at whose end is the response that would have come unstreamed', () => {
    fc.assert(
      fc.property(message, cuts, finishes, fc.boolean(), (said, at, finish, wantsSummary) => {
        const asked = { ...ASKED, ...(wantsSummary && { reasoning: { summary: 'auto' } }) };
        const grammar = ResponseGrammar.of(streamOf(new ResponseForm(asked, 'r', false), said, at, finish));
        const whole = new ResponseForm(asked, 'r', false).whole(completionOf(said, finish));
        expect(timeless(grammar.response!)).toEqual(timeless(whole as Record<string, unknown>));
        const isCut = finish === 'length' || finish === 'content_filter';
        expect(grammar.end).toBe(isCut ? 'response.incomplete' : 'response.completed');
      }),
      { numRuns: 300 },
    );
  });

  it('writes reasoning as a summary for whoever asks for one, else as it is', () => {
    const said = { choices: [{ message: { reasoning: 'Well.', content: 'Hi' }, finish_reason: 'stop' }] };
    const first = (reasoning?: { summary: string }) => {
      const form = new ResponseForm({ ...ASKED, ...(reasoning && { reasoning }) }, 'r', false);
      return (form.whole(said) as { output: object[] }).output[0];
    };
    const item = { id: 'rs_r_0', type: 'reasoning', status: 'completed' };
    expect(first()).toEqual({ ...item, summary: [], content: [{ type: 'reasoning_text', text: 'Well.' }] });
    const summary = [{ type: 'summary_text', text: 'Well.' }];
    expect(first({ summary: 'detailed' })).toEqual({ ...item, summary });
  });

  it('ends a stream that breaks off anywhere as failed', () => {
    fc.assert(
      fc.property(message, cuts, fc.nat({ max: 12 }), (said, at, length) => {
        const form = new ResponseForm(ASKED, 'r', false);
        const begun = deltasOf(said, at).slice(0, length);
        const events = begun.map((delta) => form.chunk({ choices: [{ delta, finish_reason: null }] }));
        const failure = ownFailure('upstream_timeout', 'Too slow.');
        const grammar = ResponseGrammar.of(events.join('') + form.fail(failure));
        expect([grammar.end, grammar.response!['error']]).toEqual([
          'response.failed',
          { code: 'upstream_timeout', message: 'Too slow.' },
        ]);
      }),
      { numRuns: 200 },
    );
  });

  it('tells the usage in its own words', () => {
    const usage = {
      ...USAGE,
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 1 },
    };
    const choices = [{ message: { content: 'x' }, finish_reason: 'stop' }];
    expect(new ResponseForm(ASKED, 'r', false).whole({ choices, usage })).toMatchObject({
      usage: {
        input_tokens: 3,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 7,
      },
    });
  });

  it('keeps calls apart whose parts come in turns', () => {
    const form = new ResponseForm(ASKED, 'r', false);
    const part = (index: number, more: object) =>
      form.chunk({ choices: [{ delta: { tool_calls: [{ index, ...more }] } }] });
    const events = [
      part(0, { id: 'a', function: { name: 'f', arguments: '' } }),
      part(1, { id: 'b', function: { name: 'g', arguments: '{"x"' } }),
      part(0, { function: { arguments: '{}' } }),
      part(1, { function: { arguments: ':1}' } }),
      form.end(),
    ];
    const { output } = ResponseGrammar.of(events.join('')).response as { output: { arguments: string }[] };
    expect(output.map(({ arguments: args }) => args)).toEqual(['{}', '{"x":1}']);
  });
});
