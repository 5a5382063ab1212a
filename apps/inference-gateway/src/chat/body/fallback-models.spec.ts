import { readFallbacks, withFirstModel, withoutFallbacks } from './fallback-models.js';

describe('the models that a request falls back to', () => {
  it.each([
    [{ model: 'a' }, undefined, []],
    [{ model: 'a', models: null, fallbacks: null }, '', []],
    [{ model: 'a', models: ['b', 'c'] }, undefined, ['b', 'c']],
    [{ model: 'a', models: ['a', 'b', 'a', 'b'] }, 'b , c', ['b', 'c']],
    [{ model: 'a', fallbacks: ['b', { model: 'c' }] }, undefined, ['b', 'c']],
    [{ model: 'a', models: ['b'], fallbacks: ['c'] }, 'd', ['b', 'c', 'd']],
    [{ model: 'a' }, ' b,c ', ['b', 'c']],
    [{ model: 'a' }, Buffer.from('größe').toString('latin1'), ['größe']],
  ])('are, of %j and %j, %j', (fields, header, names) => {
    expect(readFallbacks(fields, header)).toEqual(names);
  });

  it('are at most eight in a header, each with a name', () => {
    const eight = Array.from({ length: 8 }, (_, at) => `m${at}`);
    expect(readFallbacks({ model: 'a' }, eight.join(','))).toEqual(eight);
    expect(() => readFallbacks({ model: 'a' }, [...eight, 'x'].join(','))).toThrow('9 names');
    expect(() => readFallbacks({ model: 'a' }, 'a,,b')).toThrow('an empty name');
  });

  it('give the request its model where it names none', () => {
    expect(withFirstModel({ models: ['a', 'b'] })).toMatchObject({ model: 'a' });
    expect(withFirstModel({ model: null, models: ['a'] })).toMatchObject({ model: 'a' });
    expect(withFirstModel({ model: 'x', models: ['a'] })).toMatchObject({ model: 'x' });
    for (const fields of [{ models: [] }, { models: 'a' }, {}]) expect(withFirstModel(fields)).toBe(fields);
  });

  it('do not go to upstreams, and nothing else of the request changes', () => {
    const body = Buffer.from('{"models":["a","b"],"seed":12345678901234567890,"x":{"models":[1]}}');
    const sent = withoutFallbacks({ ...JSON.parse(body.toString()), model: 'a' }, body);
    expect(sent.body.toString()).toBe('{"seed":12345678901234567890,"x":{"models":[1]},"model":"a"}');
    expect(Object.keys(sent.fields)).toEqual(['seed', 'x', 'model']);
    const plain = { model: 'a' };
    expect(withoutFallbacks(plain, body)).toEqual({ fields: plain, body });
  });
});
