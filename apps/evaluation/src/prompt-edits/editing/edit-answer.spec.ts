import type { JsonObject } from '@hone/contracts';

import { editSchema, readEdit } from './edit-answer.js';
import { withMessages } from './prompt-texts.js';

const IMAGE = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] };
const MESSAGES: JsonObject[] = [
  { role: 'system', content: 'Be brief about {{topic}}.', name: 'rules' },
  IMAGE,
  { role: 'user', content: '{{question}}' },
];
const answer = (...texts: unknown[]) =>
  JSON.stringify({ diagnosis: 'long', ...Object.fromEntries(texts.map((text, at) => [`message_${at + 1}`, text])) });
const read = (text: string, known: JsonObject[][] = [MESSAGES]) =>
  readEdit(MESSAGES, text, new Set(known.map((messages) => JSON.stringify(messages))));
const detailOf = (text: string) => {
  const edit = read(text);
  return 'dropped' in edit ? [edit.dropped, edit.detail] : edit;
};

describe('the answer of a reflection model', () => {
  it('has a text for each message that is one; all else stays', () => {
    expect(editSchema(MESSAGES)).toMatchObject({ required: ['diagnosis', 'message_1', 'message_2'] });
    const edited = [
      { ...MESSAGES[0], content: 'Say little of {{topic}}.' },
      IMAGE,
      { role: 'user', content: 'Q: {{ question }}' },
    ];
    expect(read(answer('Say little of {{topic}}.', 'Q: {{ question }}'))).toEqual({ messages: edited });
    expect(read(`Sure!\n\`\`\`json\n${answer('{{topic}}', '{{question}}')}\n\`\`\``)).toHaveProperty(
      'messages.0.content',
      '{{topic}}',
    );
  });

  it('is malformed where it is no such object', () => {
    for (const text of ['', 'No.', '{', '[]', '}{', '{"message_1": "{{topic}}"', 'null'])
      expect(detailOf(text)).toEqual(['malformed', 'The answer is no JSON object.']);
    expect(detailOf(answer('{{topic}}'))).toEqual(['malformed', "The answer has no text 'message_2'."]);
    expect(detailOf(answer(7, '{{question}}'))).toEqual(['malformed', "The answer has no text 'message_1'."]);
    expect(detailOf(answer('{{topic}}', ' \n'))).toEqual(['malformed', "The answer has no text 'message_2'."]);
  });

  it('is malformed where it breaks the template, or cannot be stored', () => {
    expect(detailOf(answer('Be brief.', '{{question}}'))).toEqual(['malformed', 'The variable {{topic}} is missing.']);
    expect(detailOf(answer('{{topic}} {{expected}}', '{{question}}'))).toEqual([
      'malformed',
      'The variable {{expected}} is not one of the original.',
    ]);
    expect(detailOf(answer('{{topic}}', '{{question}}\0'))).toEqual([
      'malformed',
      expect.stringContaining('cannot be stored'),
    ]);
    expect(detailOf(answer('{{topic}}', '{{question}}\ud800'))).toEqual([
      'malformed',
      expect.stringContaining('cannot be stored'),
    ]);
    expect(detailOf(answer('{{topic}}', `{{question}}${'x'.repeat(40_000)}`))).toEqual([
      'malformed',
      expect.stringContaining('more than 32768'),
    ]);
  });

  it('is repeated where the prompt is known', () => {
    expect(detailOf(answer('Be brief about {{topic}}.', '{{question}}'))).toEqual([
      'repeated',
      'The prompt is there already.',
    ]);
  });
});

describe('the value of an edited prompt', () => {
  it('has the form of the original', () => {
    const messages = [{ role: 'system', content: 'Short.' }];
    const more = { name: 'brief', model: 'small' };
    expect(withMessages({ ...more, _type: 'StringPrompt', content: 'Long.' }, messages)).toEqual({
      ...{ ...more, _type: 'StringPrompt', content: 'Short.' },
    });
    expect(withMessages({ ...more, messages: [] }, messages)).toEqual({ ...more, messages });
  });
});
