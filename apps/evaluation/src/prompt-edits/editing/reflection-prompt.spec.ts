import type { JsonObject } from '@hone/contracts';

import { reflectionRequest } from './reflection-prompt.js';

const MESSAGES: JsonObject[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: '{{question}}' },
];
const NO_SCORES = { score: 0, found: [] };
const textOf = (row: JsonObject, output: string | null = 'no') => {
  const body = reflectionRequest(MESSAGES, [{ row, output, ...NO_SCORES }], 'The more, the better.');
  return (body['messages'] as { content: string }[])[1]?.content as string;
};

describe('what a reflection model reads', () => {
  it('is the prompt, its variables, and failures with what was expected, found, and why', () => {
    const row = { question: 'Hot?', expected: 'cold' };
    const found = [['right', { values: { passed: false }, reason: 'It is not the opposite.' }]] as const;
    const { messages, ...body } = reflectionRequest(MESSAGES, [{ row, output: 'warm', score: 0, found }], 'Goal.');
    expect((messages as { content: string }[])[1]?.content).toBe(
      [
        '# Prompt\n\n## message_1 (system)\nBe brief.\n\n## message_2 (user)\n{{question}}',
        '# Variables\n{{question}}\n\n# Score\nGoal.\n\n# Failures\n\n## Failure 1',
        'Input: {"question":"Hot?","expected":"cold"}\nAnswer: warm\nExpected: cold\nScore: 0',
        'right: {"passed":false} It is not the opposite.\n\nAnswer with a JSON object of these texts: diagnosis, message_1, message_2.',
      ]
        .join('\n')
        .replace('{{question}}\n# Variables', '{{question}}\n\n# Variables'),
    );
    expect(body).toMatchObject({
      response_format: { json_schema: { schema: { required: ['diagnosis', 'message_1', 'message_2'] } } },
    });
  });

  it('finds what is expected within the inputs, too, and says that an answer failed', () => {
    expect(textOf({ inputs: { reference: { n: 1 } } })).toContain('Expected: {"n":1}');
    expect(textOf({ question: 'Hot?' })).not.toContain('Expected');
    expect(textOf({ question: 'Hot?' }, null)).toContain('Answer: There is none: it failed.');
  });

  it('is bounded, whatever rows and answers are', () => {
    const text = textOf(
      { question: '\ud83d\ude00'.repeat(500_000), expected: 'x'.repeat(100_000) },
      'y'.repeat(4_000_000),
    );
    expect(text.length).toBeLessThan(7_000);
    expect(text.isWellFormed()).toBe(true);
  });
});
