import { parseRef, withoutScheme, withScheme } from './refs.js';

describe('parseRef', () => {
  it('reads objects, ops and calls of any scheme', () => {
    expect(parseRef('hone:///acme/demo/object/cfg:v0')).toEqual({
      kind: 'object',
      scheme: 'hone',
      projectId: 'acme/demo',
      name: 'cfg',
      digest: 'v0',
    });
    expect(parseRef('x-y+1.2:///acme/demo/op/predict:latest')).toMatchObject({ kind: 'op', scheme: 'x-y+1.2' });
    expect(parseRef('hone:///acme/demo/call/c 1:2')).toEqual({
      kind: 'call',
      scheme: 'hone',
      projectId: 'acme/demo',
      callId: 'c 1:2',
    });
  });

  it('decodes percent signs in project and name', () => {
    expect(parseRef('hone:///acme/My%20project/object/r%C3%A9sum%C3%A9:v1')).toMatchObject({
      projectId: 'acme/My project',
      name: 'résumé',
    });
    expect(parseRef('hone:///acme/My project/object/résumé:v1')).toMatchObject({ projectId: 'acme/My project' });
  });

  it('allows steps into a value after an object or op', () => {
    const base = 'hone:///acme/demo/object/table:abc';
    expect(parseRef(`${base}/attr/rows/id/xyz/key/a%20b/index/0`)).toMatchObject({ name: 'table', digest: 'abc' });
    for (const wrong of ['/attr', '/attr/a/key', '/other/a', '/call/c1', '/']) {
      expect([wrong, parseRef(base + wrong)]).toEqual([wrong, undefined]);
    }
  });

  it.each([
    '',
    'hone://acme/demo/object/a:b',
    'hone:///acme/object/a:b',
    'hone:///acme/demo/thing/a:b',
    'hone:///acme/demo/object/a',
    'hone:///acme/demo/object/a:',
    'hone:///acme/demo/object/:b',
    'hone:///acme/demo/object/a b:c',
    'hone:///acme/demo/object/a:b:c',
    `hone:///acme/demo/object/a:${'x'.repeat(129)}`,
    'hone:///acme/demo/object/%zz:b',
    'hone:///ac me/demo/object/a:b',
    'hone:///acme/demo/call/',
    'hone:///acme/demo/call/c1/attr/x',
    'hone:///acme/demo/call/c\n',
    'Hone:///acme/demo/call/c1',
    '1one:///acme/demo/call/c1',
    ' hone:///acme/demo/call/c1',
  ])('does not read %j', (text) => {
    expect(parseRef(text)).toBeUndefined();
  });
});

describe('stored refs', () => {
  it('go without their scheme', () => {
    expect(withoutScheme('x:///acme/demo/call/c1')).toBe('acme/demo/call/c1');
    expect(withScheme('acme/demo/call/c1', 'hone')).toBe('hone:///acme/demo/call/c1');
    expect(withScheme(null, 'hone')).toBeNull();
  });
});
