import { type FilledIn, toRequest, withParameter } from './request.js';

const NOTHING: FilledIn = { numbers: {}, tools: '', schema: '', others: '', isProbable: false };

describe('parameters of a chat', () => {
  it('are what was filled in', () => {
    expect(toRequest(NOTHING)).toEqual({});
    expect(
      toRequest({
        ...{ numbers: { temperature: '0.5', seed: '' }, others: '{"stop": ["x"]}', isProbable: true },
        ...{ tools: '{"name": "add"}', schema: '{"type": "object"}' },
      }),
    ).toEqual({
      ...{ temperature: 0.5, stop: ['x'], logprobs: true, top_logprobs: 5 },
      tools: [{ type: 'function', function: { name: 'add' } }],
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } },
    });
  });

  it('have tools in their whole form, too', () => {
    const tool = { type: 'function', function: { name: 'add' } };
    expect(toRequest({ ...NOTHING, tools: JSON.stringify([tool]) })).toEqual({ tools: [tool] });
  });

  it.each([
    [{ tools: '[' }, 'The tools are no JSON'],
    [{ tools: '[1]' }, 'A tool is a JSON object'],
    [{ schema: 'x' }, 'The schema is no JSON'],
    [{ schema: '[]' }, 'A schema is a JSON object'],
  ])('are refused as %j', (part, sentence) => {
    expect(() => toRequest({ ...NOTHING, ...part })).toThrow(sentence);
  });

  it('get another one among the others', () => {
    expect(JSON.parse(withParameter('', 'n', 1))).toEqual({ n: 1 });
    expect(JSON.parse(withParameter('{"n": 2}', 'stop', []))).toEqual({ n: 2, stop: [] });
    expect(withParameter('{', 'n', 1)).toBe('{');
  });
});
