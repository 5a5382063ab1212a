import { parseJson } from '@hone/client';

import { fillMessages, newPrompt, piecesOf, readPrompt, variablesOf, withMessages } from './prompt.js';

const MESSAGES = [
  { role: 'system', content: 'You greet {{ name }} in {{language}}.' },
  { role: 'user', content: [{ type: 'text', text: '{{name}}, {name}, {{ }}, {{a b}}' }] },
];

describe('a prompt object', () => {
  it('has messages, or a text that is a system message', () => {
    expect(readPrompt({ messages: MESSAGES, model: 'm' })).toEqual({ messages: MESSAGES, isServed: true });
    const system = [{ role: 'system', content: 'hi' }];
    expect(readPrompt({ _class_name: 'StringPrompt', content: 'hi' })).toEqual({ messages: system, isServed: true });
    expect(readPrompt({ _class_name: 'Prompt', content: 'hi' })).toEqual({ messages: system, isServed: false });
  });

  it.each([[null], ['text'], [{}], [{ messages: [] }], [{ messages: [1] }], [{ messages: [{}] }], [{ content: 1 }]])(
    'is none: %j',
    (value) => {
      expect(readPrompt(value)).toBeNull();
    },
  );

  it('is what SDKs read', () => {
    expect(newPrompt(' p ', MESSAGES)).toMatchObject({ _class_name: 'MessagesPrompt', name: 'p', messages: MESSAGES });
  });

  it('keeps all but its messages in a new version', () => {
    const value = parseJson('{"_type":"x","seed":9007199254740993,"messages":[]}');
    expect(withMessages(value, MESSAGES)).toEqual({
      ...{ ...(value as object), name: null, description: null, messages: MESSAGES },
    });
  });

  it('stays a text while that is all there is, and has messages else', () => {
    const value = { _type: 'StringPrompt', _class_name: 'StringPrompt', content: 'a', name: 'n' };
    expect(withMessages(value, [{ role: 'system', content: 'b' }])).toEqual({ ...value, content: 'b' });
    const more = withMessages(value, MESSAGES);
    expect(more).toMatchObject({ _class_name: 'MessagesPrompt', name: 'n', messages: MESSAGES });
    expect(more).not.toHaveProperty('content');
    expect(withMessages({ content: 'a' }, [{ role: 'system', content: 'b' }])).toHaveProperty('messages');
  });
});

describe('the variables of a prompt', () => {
  it('are the names in double braces, each once', () => {
    expect(variablesOf(MESSAGES)).toEqual(['name', 'language']);
  });

  it('are filled with text and nothing else, and stay where they have no value', () => {
    const said = '"}, {{language}} \\ $& \n';
    expect(fillMessages(MESSAGES, { name: said, odd: 'x' })).toEqual([
      { role: 'system', content: `You greet ${said} in {{language}}.` },
      { role: 'user', content: [{ type: 'text', text: `${said}, {name}, {{ }}, {{a b}}` }] },
    ]);
    expect(fillMessages([{ role: 'user', content: '{{constructor}}' }], {})).toEqual([
      { role: 'user', content: '{{constructor}}' },
    ]);
  });

  it('are marked where they stand', () => {
    expect(piecesOf('a {{b}}{{ c }} d')).toEqual([
      { text: 'a ', variable: null },
      { text: '{{b}}', variable: 'b' },
      { text: '{{ c }}', variable: 'c' },
      { text: ' d', variable: null },
    ]);
    expect(piecesOf('')).toEqual([]);
  });
});
