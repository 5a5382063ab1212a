import { answerText, correctionText } from './correction.js';

describe('a correction', () => {
  it('is the text of the better answer', () => {
    expect(correctionText('Paris.')).toBe('Paris.');
    expect(correctionText({ role: 'assistant', content: 'Paris.' })).toBe('Paris.');
    const tool = { type: 'function', function: { name: 'look', arguments: '{}' } };
    expect(correctionText({ role: 'assistant', content: null, tool_calls: [tool] })).toBe('look({})');
    expect(correctionText({ other: 1 })).toBe('{\n  "other": 1\n}');
    expect(correctionText(7)).toBeNull();
  });

  it('is compared with what the call answered', () => {
    const turn = (role: string, text: string) => ({ role, text, tools: [] });
    expect(answerText([turn('user', 'Where?'), turn('assistant', 'Lyon.')], {})).toBe('Lyon.');
    expect(answerText([turn('user', 'Where?')], 'Lyon.')).toBe('Lyon.');
    expect(answerText(null, { city: 'Lyon' })).toBe('{\n  "city": "Lyon"\n}');
    expect(answerText(null, null)).toBeNull();
  });
});
