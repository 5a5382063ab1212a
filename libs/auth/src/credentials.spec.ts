import { parseAuthorization } from './credentials.js';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('parseAuthorization', () => {
  it('reads Bearer', () => {
    expect(parseAuthorization('Bearer hone_abc')).toEqual({ scheme: 'bearer', key: 'hone_abc' });
    expect(parseAuthorization('  bEaReR   hone_abc ')).toEqual({ scheme: 'bearer', key: 'hone_abc' });
  });

  it('reads Basic up to the first colon', () => {
    expect(parseAuthorization(basic('api:hone_abc'))).toEqual({ scheme: 'basic', username: 'api', key: 'hone_abc' });
    expect(parseAuthorization(basic('ada:a:b'))).toEqual({ scheme: 'basic', username: 'ada', key: 'a:b' });
    expect(parseAuthorization(basic(':k'))).toEqual({ scheme: 'basic', username: '', key: 'k' });
    expect(parseAuthorization(basic('é:ü'))).toEqual({ scheme: 'basic', username: 'é', key: 'ü' });
  });

  it('reads base64 without padding and in the URL alphabet', () => {
    const encoded = Buffer.from('api:k??>').toString('base64url');
    expect(parseAuthorization(`Basic ${encoded}`)).toEqual({ scheme: 'basic', username: 'api', key: 'k??>' });
  });

  it.each([
    '',
    'Basic',
    'Bearer ',
    'Token abc',
    'Bearer a b',
    'Basic a b',
    'Basic %%%',
    'Basic YWJj=YWJj',
    basic('no colon'),
    `Bearer ${'x'.repeat(2_048)}`,
  ])('does not read %j', (header) => {
    expect(parseAuthorization(header)).toBeUndefined();
  });
});
