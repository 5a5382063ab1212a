import { tryParseJson } from './try-parse-json.js';

it('reads JSON, and tells what is none from null', () => {
  expect(tryParseJson('{"a": [1, null]}')).toEqual({ a: [1, null] });
  expect(tryParseJson('null')).toBeNull();
  for (const text of ['', '{"a": 1', 'a: 1', '01']) expect(tryParseJson(text)).toBeUndefined();
  expect(tryParseJson('[[1]]', { maxLevels: 1 })).toBeUndefined();
});
