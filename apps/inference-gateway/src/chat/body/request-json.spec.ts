import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import { parseRequestJson } from './request-json.js';

const parse = (text: string) => parseRequestJson(Buffer.from(text));

function issueOf(bytes: Buffer | string): unknown {
  try {
    parseRequestJson(Buffer.from(bytes));
    return null;
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    const { detail } = error.body as { detail: { loc: unknown; type: string }[] };
    return { loc: detail[0]?.loc, type: detail[0]?.type };
  }
}

describe('parseRequestJson', () => {
  it('reads an object, with or without a byte order mark', () => {
    expect(parse('{"a":[1,"x",null]}')).toEqual({ a: [1, 'x', null] });
    expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it('reads special keys as plain keys', () => {
    const value = parse('{"__proto__":{"isAdmin":true},"constructor":1}');
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect((value as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it.each([
    ['nothing', '', ['body', 0], 'json_invalid'],
    ['half an object', '{"a":', ['body', 5], 'json_invalid'],
    ['NaN', '{"a":NaN}', ['body', 5], 'json_invalid'],
    ['a list', '[]', ['body'], 'dict_type'],
    ['a string', '"x"', ['body'], 'dict_type'],
    ['a number beyond the doubles', '{"a":[1,1e999]}', ['body', 'a', 1], 'finite_number'],
    ['a key that comes twice', '{"model":"a","x":1,"model":"b"}', ['body', 'model'], 'value_error'],
    ['the same key written otherwise', '{"model":"a","\\u006dodel":"b"}', ['body', 'model'], 'value_error'],
  ])('refuses %s', (_name, text, loc, type) => {
    expect(issueOf(text)).toEqual({ loc, type });
  });

  it('refuses invalid UTF-8', () => {
    expect(issueOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toEqual({
      loc: ['body', 0],
      type: 'json_invalid',
    });
  });

  it('accepts 100 levels and no more', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(issueOf(nested(100))).toBeNull();
    expect(issueOf(nested(101))).toMatchObject({ type: 'json_too_deep' });
    expect(issueOf(nested(100_000))).toMatchObject({ type: 'json_too_deep' });
  });
});
