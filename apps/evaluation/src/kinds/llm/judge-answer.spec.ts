import type { JudgeDto } from '@hone/contracts';

import { readAnswer } from './judge-answer.js';
import { answerSchema, promptOf } from './judge-prompt.js';

const JUDGE: JudgeDto = {
  model: 'm',
  messages: [{ role: 'user', content: '{{messages}} | {{output}} | {{reference}} | {{inputs.user.name}}' }],
  reference: 'inputs.expected',
  ratings: [{ name: 'helpful', min: -1, max: 3, steps: { '3': 'best' } }],
  tags: [{ name: 'polite', description: 'no insults' }],
};
const GOOD = { reason: 'r', helpful: 2, polite: false };
const read = (value: object) => readAnswer(JUDGE, JSON.stringify(value));

describe("a judge's answer", () => {
  it('is taken in its form, also within a fence of Markdown', () => {
    const found = { reason: 'r', ratings: { helpful: 2 }, tags: [] };
    expect(read(GOOD)).toEqual(found);
    expect(readAnswer(JUDGE, `\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``)).toEqual(found);
    expect(read({ ...GOOD, polite: true, more: 1 })).toEqual({ ...found, tags: ['polite'] });
  });

  it.each([
    ['4', { ...GOOD, helpful: 4 }],
    ['1.5', { ...GOOD, helpful: 1.5 }],
    ['a text', { ...GOOD, helpful: '2' }],
    ['null', { ...GOOD, helpful: null }],
    ['nothing', { reason: 'r', polite: true }],
    ['no tag', { ...GOOD, polite: 'yes' }],
    ['no reason', { helpful: 2, polite: true }],
    ['a list', [GOOD]],
  ])('is none with %s', (_what, value) => expect(read(value)).toEqual({ wrong: expect.any(String) }));

  it.each(['', 'I think 2.', '{"reason": "r", "helpful": 2', `Sure! ${JSON.stringify(GOOD)}`])(
    'is none in %j',
    (text) => {
      expect(readAnswer(JUDGE, text)).toEqual({ wrong: 'The answer is not one JSON object.' });
    },
  );
});

describe('what a judge reads', () => {
  const values = {
    attributes: {},
    inputs: { messages: [{ role: 'user', content: 'Hi' }], expected: { a: 1 }, user: { name: 'Ada' } },
    output: 'Hello',
  };

  it('has the values of the call for its variables', () => {
    expect(promptOf(JUDGE, values)).toMatchObject([{ role: 'user', content: 'user: Hi | Hello | {"a":1} | Ada' }, {}]);
  });

  it('names the variable that the call has no value for', () => {
    expect(promptOf(JUDGE, { ...values, output: null })).toEqual({ missing: 'output' });
    expect(promptOf(JUDGE, { ...values, inputs: { messages: [] } })).toEqual({ missing: 'reference' });
  });

  it('leaves room for the numbers behind the longest reason', () => {
    const lengthOf = (maxTokens: number) =>
      (answerSchema({ ...JUDGE, max_tokens: maxTokens })['properties'] as { reason: { maxLength: number } }).reason
        .maxLength;
    expect([16, 128, 512, 8_192].map(lengthOf)).toEqual([16, 33, 225, 1_000]);
  });
});
