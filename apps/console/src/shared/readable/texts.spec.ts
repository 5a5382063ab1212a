import { JsonNumber } from '@hone/client';

import { textsOf } from './texts.js';

describe('the texts of a value', () => {
  it('are itself, or its members under their keys', () => {
    expect(textsOf('# Hello')).toEqual([{ key: '', text: '# Hello' }]);
    expect(textsOf({ q: 'why?', n: 2, is: true, big: new JsonNumber('12345678901234567890') })).toEqual([
      { key: 'q', text: 'why?' },
      { key: 'n', text: '2' },
      { key: 'is', text: 'true' },
      { key: 'big', text: '12345678901234567890' },
    ]);
    expect(textsOf(JSON.parse('{"__proto__": "x"}'))).toEqual([{ key: '__proto__', text: 'x' }]);
  });

  it('are none of lists, of what is nested, and of large objects', () => {
    const many = Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`k${at}`, '']));
    for (const value of [null, [], ['a'], {}, { a: {} }, { a: null }, { '': 'x' }, many])
      expect(textsOf(value)).toBeNull();
  });
});
