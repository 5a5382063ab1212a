import { CallsCompleteDto, check } from '@hone/contracts';

import { projectOf } from '../../../shared/data/project.js';
import { type Answer, toCall, toRow } from './saved.js';

const ANSWER: Answer = {
  ...{
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    parameters: { temperature: 0 },
    text: 'hello',
    tools: [],
  },
  completionId: 'chatcmpl-019bc000-0000-7000-8000-0000000000aa',
  ...{ askedAt: '2026-01-15T10:00:00.000Z', answeredAt: '2026-01-15T10:00:01.000Z' },
};

describe('an answer of the playground', () => {
  it('is a row as those of calls', () => {
    expect(toRow(ANSWER)).toEqual({ inputs: { messages: ANSWER.messages }, output: 'hello' });
    const called = { ...ANSWER, text: '', tools: ['add {"a": 1}', 'stop'] };
    const call = (index: number, name: string, args: string) => ({
      ...{ id: `call_${index}`, type: 'function', function: { name, arguments: args } },
    });
    expect(toRow(called)['output']).toEqual({
      ...{ role: 'assistant', content: null, tool_calls: [call(0, 'add', '{"a": 1}'), call(1, 'stop', '')] },
    });
  });

  it.each([
    ['off', '019bc000-0000-7000-8000-0000000000aa'],
    ['metadata', '019bc000-0000-7000-8000-0000000000aa-saved'],
  ] as const)('is a call that the interface takes, where chats are kept %s', (level, id) => {
    const call = toCall(projectOf('acme/demo'), ANSWER, level);
    expect(call).toMatchObject({ id, inputs: { model: 'm', temperature: 0 }, ended_at: ANSWER.answeredAt });
    expect(check(CallsCompleteDto, { batch: [call] }).issues).toEqual([]);
  });
});
