import { objectRef, parseRef, shortRef } from './refs.js';

const DIGEST = '5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI';

describe('refs', () => {
  it.each([
    ['hone:///acme/demo/object/quality:v3', { projectId: 'acme/demo', kind: 'object', name: 'quality', version: 'v3' }],
    [
      'weave:///acme/demo/op/Model.predict:*',
      { projectId: 'acme/demo', kind: 'op', name: 'Model.predict', version: '*' },
    ],
    ['hone:///acme/my%20demo/call/c1', { projectId: 'acme/my demo', kind: 'call', name: 'c1', version: '' }],
    ['hone:///a/b/call/50%25:x', { projectId: 'a/b', kind: 'call', name: '50%25:x', version: '' }],
    ['acme/demo/call/c1', { projectId: 'acme/demo', kind: 'call', name: 'c1', version: '' }],
    [`hone:///a/b/object/d:${DIGEST}/attr/rows/id/x`, { projectId: 'a/b', kind: 'object', name: 'd', version: DIGEST }],
    ['hone:///a/b/object/%zz:v0', { projectId: 'a/b', kind: 'object', name: '%zz', version: 'v0' }],
  ])('names what %s is', (ref, parts) => {
    expect(parseRef(ref)).toEqual(parts);
  });

  it.each(['', 'hello', 'https://example.com/a/b', null, undefined])('does not take %j for one', (text) => {
    expect(parseRef(text)).toBeNull();
  });

  it('shorten digests, and nothing else', () => {
    expect(shortRef(`hone:///a/b/object/d:${DIGEST}`)).toBe('d:5qtqo7');
    expect(shortRef('hone:///a/b/object/d:production')).toBe('d:production');
    expect(shortRef('gpt-x')).toBe('gpt-x');
  });

  it('are read as they were made', () => {
    expect(parseRef(objectRef('a/b', 'größe', 'v1'))).toEqual({
      ...{ projectId: 'a/b', kind: 'object', name: 'größe', version: 'v1' },
    });
  });
});
