import { aRequest } from '../answer-rig.fixture.js';
import { cacheKey } from './cache-key.js';

const MESSAGES = [{ role: 'user', content: 'hi' }];
const keyOf = (fields: object, owner = 'p') => cacheKey(aRequest(fields as Record<string, unknown>), owner);
const keyOfText = (text: string, more: object = {}) =>
  cacheKey({ ...aRequest(), body: Buffer.from(text), ...more }, 'p');

describe('the key of a request', () => {
  it.each([
    ['another order of fields', { temperature: 0, seed: 1 }, { seed: 1, temperature: 0 }],
    ['another user', { user: 'a' }, { user: 'b' }],
    ['metadata', { metadata: { a: 'b' } }, {}],
    ['an id of its own', { request_id: 'a' }, {}],
    ['another name of the route', { model: 'a' }, { model: 'b' }],
    ['a null', { stop: null }, {}],
  ])('is the same with %s', (_, left, right) => expect(keyOf(left)).toBe(keyOf(right)));

  it.each([
    ['messages', {}, { messages: [{ role: 'user', content: 'hi ' }] }],
    ['the form', {}, { stream: true }],
    ['the usage of a stream', { stream: true }, { stream: true, stream_options: { include_usage: true } }],
    ['a setting', { temperature: 0 }, { temperature: 1 }],
    ['a field that is not known', {}, { mode: 'x' }],
    ['the order of a list', { stop: ['a', 'b'] }, { stop: ['b', 'a'] }],
    ['a type', { seed: 1 }, { seed: '1' }],
  ])('differs with %s', (_, left, right) => expect(keyOf(left)).not.toBe(keyOf(right)));

  it('differs with whose it is, the endpoint, and what the gateway sets or sends', () => {
    expect(keyOf({}, 'p')).not.toBe(keyOf({}, 'q'));
    const request = aRequest();
    const key = cacheKey(request, 'p');
    for (const more of [
      { endpoint: 'completions' as const },
      { overrides: { seed: 0 } },
      { headers: { 'x-team': 'a' } },
    ]) {
      expect(cacheKey({ ...request, ...more }, 'p')).not.toBe(key);
    }
    expect(cacheKey({ ...request, headers: { traceparent: '00-1' } }, 'p')).toBe(key);
  });

  it('reads numbers by their digits', () => {
    const seed = (digits: string) => keyOfText(`{"messages":${JSON.stringify(MESSAGES)},"seed":${digits}}`);
    expect(seed('9007199254740993')).not.toBe(seed('9007199254740992'));
    expect(seed('1')).toBe(seed(' 1 '));
  });

  it.each([
    ['too large', `{"a":"${'x'.repeat(300_000)}"}`],
    ['a number of too many digits', `{"a":${'9'.repeat(10_000)}}`],
  ])('is none of a request that is %s', (_, text) => expect(keyOfText(text)).toBeNull());

  it.each([['__proto__'], ['constructor'], ['\ud800']])('is that of a request with a field %j', (name) => {
    expect(keyOfText(`{${JSON.stringify(name)}:1}`)).not.toBe(keyOfText(`{${JSON.stringify(name)}:2}`));
  });
});
