import { asksForLines } from './lines-answer.js';

describe('asksForLines', () => {
  it.each([
    ['application/x-ndjson', true],
    ['Application/X-NDJSON; charset=utf-8', true],
    ['application/json, application/x-ndjson;q=0.5', true],
    ['application/x-ndjson;q=0', false],
    ['application/x-ndjson; q=0.00', false],
    ['*/*', false],
    ['application/*', false],
    ['application/x-ndjson2', false],
    ['', false],
  ])('%s: %s', (accept, expected) => {
    expect(asksForLines(accept)).toBe(expected);
  });
});
