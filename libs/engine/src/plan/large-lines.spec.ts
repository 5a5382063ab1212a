import { join } from 'node:path';

import { openBaseModel } from '../model/base-model.js';
import { planSft } from './plan-sft.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import { planningTokenizerOf } from './planning-tokenizer.js';
import { resolveSftConfig } from './sft-config.js';

const SIZE = 20_000_000;

let tokenizer: PlanningTokenizer;
beforeAll(async () => {
  tokenizer = planningTokenizerOf(await openBaseModel(join(import.meta.dirname, '../../../../models/hone-tiny')));
});

const line = (content: unknown, more: object = {}): string =>
  JSON.stringify({ messages: [{ role: 'user', content }, { role: 'assistant', content: 'ok' }], ...more }); // prettier-ignore
const plan = (large: string) => planSft([line('hi'), large], resolveSftConfig(null), { tokenizer, contextLength: 512 });

describe('a line of 20 MB', () => {
  it.each([
    ['one word', () => line('x'.repeat(SIZE))],
    ['blanks', () => line(`${' '.repeat(SIZE)}x`)],
    ['control markers', () => line('<|end|>'.repeat(SIZE / 7))],
    ['text parts', () => line(Array.from({ length: SIZE / 40 }, () => ({ type: 'text', text: 'some text' })))],
    ['messages', () => manyMessages(SIZE / 50)],
  ])('that is %s is left out as too long', async (_, large) => {
    expect((await plan(large())).counts).toMatchObject({ trajectoriesTrained: 1, dropped: { too_long: 1 } });
  });

  it.each([
    ['content', () => `{"messages":[{"role":"user","content":${nested()}},{"role":"assistant","content":"ok"}]}`],
    ['tools', () => line('hi').replace(/}$/, `,"tools":${nested()}}`)],
  ])('that is nested %s is bad', async (_, large) => {
    await expect(plan(large())).rejects.toMatchObject({
      code: 'data.bad_line',
      message: 'A line of the training data is bad: nested deeper than 64 levels at line 2.',
    });
  });

  it('of tools that the template cannot go through says that it is too large', async () => {
    const tools = [{ type: 'function', function: { name: 'f', description: '<|end|>'.repeat(SIZE / 7) } }];
    const counts = await plan(line('hi', { tools })).then(
      (planned) => planned.counts.dropped,
      (error: Error) => error.message,
    );
    // Where the stack suffices, the rendering shows that it is too long.
    expect([{ too_long: 1 }, expect.stringContaining('it is too large or too deeply nested')]).toContainEqual(counts);
    expect(JSON.stringify(counts)).not.toContain('call stack');
  });
});

const nested = (): string => `${'['.repeat(SIZE / 2)}${']'.repeat(SIZE / 2)}`;

function manyMessages(count: number): string {
  const turns = Array.from({ length: count / 2 }, () => [
    { role: 'user', content: 'hi there' },
    { role: 'assistant', content: 'hi' },
  ]);
  return JSON.stringify({ messages: turns.flat() });
}
