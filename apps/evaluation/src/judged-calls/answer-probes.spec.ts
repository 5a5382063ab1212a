import { probed } from './answer-probes.js';
import { outputText } from './call-texts.js';
import type { CallValues, JudgedCall } from './judged-call.js';

const NOTHING: CallValues = { attributes: {}, inputs: {}, output: null };
const callOf = (output: CallValues['output']): JudgedCall => ({
  ...{ id: 'call', hasEnded: true, latencyMs: 1 },
  values: { ...NOTHING, output },
});
const chat = (content: string) => callOf({ choices: [{ index: 0, message: { role: 'assistant', content } }] });
const textOf = ([call]: JudgedCall[]) => outputText(call?.values ?? NOTHING);

describe('probes of an answer', () => {
  const answer = 'It is Berlin. It has been since 1990!\n\nAsk "Why?" Then read.';

  it('say the same once more, as a list, and with praise', () => {
    expect(textOf(probed(chat('It is Berlin.'), 'longer'))).toBe(
      'It is Berlin.\n\nIn other words, to say the same once more: It is Berlin.',
    );
    expect(textOf(probed(chat(answer), 'bullets'))).toBe(
      '- It is Berlin.\n- It has been since 1990!\n- Ask "Why?"\n- Then read.',
    );
    expect(textOf(probed(chat('It is Berlin.'), 'flattery'))).toMatch(
      /^What an excellent .*! It is Berlin\.\n\nYou clearly/,
    );
  });

  it('take texts that are no chat, and leave alone what they do not change', () => {
    expect(textOf(probed(callOf('Yes.'), 'longer'))).toMatch(/^Yes\.\n\nIn other words/);
    const call = callOf({ answer: 42 });
    expect(probed(call, 'repeat')).toEqual([call]);
  });

  it('change no answer that is no text', () => {
    expect(probed(callOf({ answer: 42 }), 'bullets')).toEqual([]);
    expect(probed(callOf(null), 'longer')).toEqual([]);
    expect(probed({ ...callOf('x'), values: null }, 'flattery')).toEqual([]);
  });

  it('are quick with answers of any form', () => {
    const long = 'a.'.repeat(200_000) + '"'.repeat(100_000) + ' '.repeat(100_000);
    const lines = textOf(probed(callOf(long), 'bullets'))?.split('\n');
    expect(lines).toHaveLength(1);
  });
});
