import { requestOf } from './row-request.js';

const MODEL = { asked: 'small', prompt: null, parameters: { temperature: 0.5 } };
const promptOf = (...variables: string[]) => ({
  ...{ asked: null, parameters: {} },
  prompt: { objectId: 'brief', digest: 'd', variables },
});
const HI = [{ role: 'user', content: 'Hi' }];

describe('the request for a row', () => {
  it('has the messages of the row, or its text as that of a user, and the parameters', () => {
    const asked = { temperature: 0.5, seed: 3, model: 'small' };
    expect(requestOf(MODEL, { messages: HI, question: 'What?' }, 3)).toEqual({ ...asked, messages: HI });
    expect(requestOf(MODEL, { inputs: { messages: HI } }, 3)).toEqual({ ...asked, messages: HI });
    for (const row of [
      { question: 'Hi' },
      { prompt: 'Hi' },
      { inputs: { query: 'Hi' } },
      { messages: [], input: 'Hi' },
    ])
      expect(requestOf(MODEL, row as never, 3)).toEqual({ ...asked, messages: HI });
    for (const row of [{}, { messages: [] }, { question: 7 }, { inputs: null }, { a: 'Hi', b: 1 }])
      expect(requestOf(MODEL, row as never, 3)).toEqual({ missing: 'messages' });
  });

  it('fills the variables of a prompt by name, by path, or from the inputs of the row', () => {
    const row = { 'a.b': 'whole', a: { b: 'path', c: { d: 1 } }, inputs: { word: 'cat' }, n: 0, no: false };
    const { prompt, messages } = requestOf(promptOf('a.b', 'a.c', 'word', 'n', 'no'), row, 0) as never;
    expect(messages).toEqual([]);
    expect(prompt).toEqual({
      ...{ id: 'brief', version: 'd' },
      variables: { 'a.b': 'whole', 'a.c': '{"d":1}', word: 'cat', n: '0', no: 'false' },
    });
  });

  it('says which variable is missing, and takes none from what every object has', () => {
    expect(requestOf(promptOf('word', 'other'), { word: 'cat' }, 0)).toEqual({ missing: 'other' });
    expect(requestOf(promptOf('word'), { word: null }, 0)).toEqual({ missing: 'word' });
    for (const name of ['constructor', 'toString', '__proto__', 'constructor.name'])
      expect(requestOf(promptOf(name), {}, 0)).toEqual({ missing: name });
  });

  it('goes on with the messages of the row after those of a prompt, but makes none of its text', () => {
    expect(requestOf(promptOf(), { messages: HI }, 0)).toMatchObject({ messages: HI });
    expect(requestOf(promptOf('question'), { question: 'What?' }, 0)).toMatchObject({ messages: [] });
  });
});
