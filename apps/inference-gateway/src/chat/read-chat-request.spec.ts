import type { FilledPrompt } from './prompts/filled-prompt.js';
import { mergePrompt } from './read-chat-request.js';

const json = '[{"role":"user","content":"a","n":98765432109876543210}]';
const prompt: FilledPrompt = {
  messages: JSON.parse(json) as Record<string, unknown>[],
  json,
  model: 'named',
  use: { id: 'p', version: 'v0', digest: 'd', variables: {} },
};
const merge = (body: string) => {
  const { body: bytes, fields } = mergePrompt(JSON.parse(body), Buffer.from(body), prompt);
  expect(JSON.parse(bytes.toString())).toEqual(fields);
  return bytes.toString();
};

describe('a body with the messages of its prompt', () => {
  it.each([
    ['{"prompt":{"id":"p"},"model":"m"}', `{"model":"m","messages":${json}}`],
    ['{"prompt":1,"messages":null,"model":null}', '{"messages":null,"model":"named"}'],
    ['{"messages":[ ],"prompt":1}', `{"messages":${json},"model":"named"}`],
    [
      '{"messages": [ {"x":12345678901234567890} , 2 ] ,"prompt":1,"model":"m","seed":12345678901234567890}',
      `{"messages":${json.slice(0, -1)}, {"x":12345678901234567890} , 2 ],"model":"m","seed":12345678901234567890}`,
    ],
    ['{"mess\\u0061ges":[1],"pr\\u006fmpt":1,"model":"m"}', `{"messages":${json.slice(0, -1)},1],"model":"m"}`],
    ['{"messages":"no list","prompt":1,"model":"m"}', '{"messages":"no list","model":"m"}'],
  ])('keeps all other bytes: %s', (body, merged) => {
    expect(merge(body)).toBe(merged);
  });
});
