import type { AnswerEvent, AnswerEvents } from '../answer-event.js';
import { splitReasoning } from './split-reasoning.js';

const FORM = { begin: '<think>', end: '</think>' };
const PROMPT: AnswerEvent = { kind: 'prompt', cachedTokens: 3, logProbabilities: null };
const NO_TOKENS = { ids: [], logProbabilities: null };

const text = (choice: number, ids: number[], said: string): AnswerEvent => ({
  ...{ kind: 'text', choice, text: said, ids, logProbabilities: null },
});
const finish = (choice: number, ids: number[]): AnswerEvent => ({
  ...{ kind: 'finish', choice, finishReason: 'stop', stopReason: null, ids, logProbabilities: null },
});

async function split(...events: AnswerEvent[]): Promise<AnswerEvent[]> {
  async function* answer(): AnswerEvents {
    yield* events;
  }
  const found: AnswerEvent[] = [];
  for await (const event of splitReasoning(answer(), { form: FORM, isOpen: false }, false)) found.push(event);
  return found;
}

describe('splitReasoning', () => {
  it('passes each token on once, with the part that it completes', async () => {
    const events = [
      text(0, [1], '<think>'),
      text(0, [2], 'a'),
      text(0, [3], '</think>'),
      text(0, [4], '\n'),
      text(0, [5], 'b'),
    ];
    expect(await split(PROMPT, ...events, finish(0, [9]))).toEqual([
      PROMPT,
      { kind: 'reasoning', choice: 0, text: 'a', ids: [1, 2], logProbabilities: null },
      text(0, [3, 4, 5], 'b'),
      finish(0, [9]),
    ]);
  });

  it('counts a token of both as one of the answer', async () => {
    expect(await split(PROMPT, text(0, [1, 2], '<think>a</think>b'), finish(0, []))).toEqual([
      PROMPT,
      { kind: 'reasoning', choice: 0, text: 'a', ...NO_TOKENS },
      text(0, [1, 2], 'b'),
      finish(0, []),
    ]);
  });

  it('keeps choices apart', async () => {
    const events = [text(0, [1], '<think>'), text(1, [2], 'no'), text(0, [3], 'a'), finish(1, []), finish(0, [4])];
    expect(await split(PROMPT, ...events)).toEqual([
      PROMPT,
      text(1, [2], 'no'),
      { kind: 'reasoning', choice: 0, text: 'a', ids: [1, 3], logProbabilities: null },
      finish(1, []),
      finish(0, [4]),
    ]);
  });

  it('ends the reasoning where a tool call begins', async () => {
    const call: AnswerEvent = { kind: 'call', choice: 0, name: 'f', ids: [3], logProbabilities: null };
    expect(await split(PROMPT, text(0, [1], '<think>a'), text(0, [2], '</'), call, finish(0, []))).toEqual([
      PROMPT,
      { kind: 'reasoning', choice: 0, text: 'a', ids: [1], logProbabilities: null },
      { kind: 'reasoning', choice: 0, text: '</', ids: [2], logProbabilities: null },
      call,
      finish(0, []),
    ]);
  });

  it('gives tokens without text to the end of the choice', async () => {
    const events = [text(0, [1], '<think>'), text(0, [2], '\n'), text(0, [3], '</think>')];
    expect(await split(PROMPT, ...events, finish(0, [4]))).toEqual([PROMPT, finish(0, [1, 2, 3, 4])]);
  });
});
