import type { CallDto } from '@hone/client';

import { toCallRow } from './call-row.js';

const rowOf = (summary: unknown) => toCallRow({ id: 'c', project_id: 'a/b', summary } as unknown as CallDto);

describe('a call in a list', () => {
  it.each([
    [{ m: { total_tokens: 5 }, n: { prompt_tokens: 2, completion_tokens: 1 } }, 8],
    [{ m: { input_tokens: 2, output_tokens: 3 } }, 5],
    [{ m: { requests: 1 } }, null],
    [{ m: null }, null],
    [{ m: { total_tokens: 'many' } }, null],
    [undefined, null],
    ['nonsense', null],
  ])('sums the tokens of %j', (usage, tokens) => {
    expect(rowOf({ usage }).tokens).toBe(tokens);
  });

  it('is shown though a half of it is missing', () => {
    expect(rowOf(undefined)).toMatchObject({ id: 'c', opName: '', status: 'running', latencyMs: null, models: [] });
  });
});
