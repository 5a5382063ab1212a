import type { JsonValue } from '@hone/contracts';

import { derivedEnd, derivedStart } from './derived.js';
import { derivedOfBytes } from './derived-of-bytes.js';

const bytes = (value: JsonValue) => ({ bytes: Buffer.from(JSON.stringify(value)) });
const user = (content: JsonValue) => ({ role: 'user', content });
/** More than is parsed. */
const LONG = 'long words '.repeat(8_000);
const answer = (message: JsonValue, more: JsonValue = null) => ({ choices: [{ index: 0, message }], logprobs: more });

const CALLS: [string, JsonValue, JsonValue][] = [
  [
    'a chat',
    { model: 'm', messages: [user('Hi'), { role: 'assistant', content: 'Yes?' }, user('Go')] },
    answer(user('A')),
  ],
  ['a long chat', { messages: [{ role: 'system', content: LONG }, user('Go  on')] }, answer(user(LONG))],
  [
    'parts',
    { messages: [user([{ type: 'text', text: LONG }])] },
    answer({ content: [{ text: 'One' }, { text: 'Two' }] }),
  ],
  ['tools', { input: [user(LONG)] }, answer({ tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }] }, LONG)],
  ['plain values', { question: 'Why?' }, 'So.'],
  ['nothing', {}, null],
  ['JSON', { a: [1, -2, true, null], b: { c: 'no' } }, [0, { d: 123_456_789_012_345 }]],
];

const NUMERALS = ['1.0', '1e5', '-0', '12345678901234567890', '0.10', '-1E-7', '9007199254740993', '7', '-12'];

describe('derivedOfBytes', () => {
  it.each(CALLS)('says of %s what the values say', (_what, inputs, output) => {
    const [attributes, summary] = [
      { metadata: { user: 'u' } },
      { usage: { m: { prompt_tokens: 1, total_tokens: 1 } } },
    ];
    const exception = 'ValueError: no';
    const values = {
      exception,
      attributes: bytes(attributes),
      inputs: bytes(inputs),
      output: bytes(output),
      summary: bytes(summary),
    };
    expect(derivedOfBytes(values)).toEqual({
      ...derivedStart(attributes, inputs),
      ...derivedEnd(output, summary, exception),
    });
  });

  it.each(NUMERALS)('shows a number as it was written: %s', (numeral) => {
    const raw = (json: string) => ({ bytes: Buffer.from(json) });
    const values = { exception: null, attributes: raw('{}'), summary: raw('{}') };
    const of = derivedOfBytes({ ...values, inputs: raw(`{"n": ${numeral}, "m": 2}`), output: raw(`[${numeral}]`) });
    expect([of.inputPreview, of.outputPreview]).toEqual([`{"n":${numeral},"m":2}`, `[${numeral}]`]);
  });
});
