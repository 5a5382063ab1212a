import fc from 'fast-check';

import { findMember, firstMember, keyOf, nextMember } from './members.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const membersOf = (text: string) => {
  const json = Buffer.from(text);
  const members: [string, string][] = [];
  for (let member = firstMember(json); member !== null; member = nextMember(json, member)) {
    members.push([keyOf(json, member), json.toString('utf8', member.valueStart, member.valueEnd)]);
  }
  return members;
};

describe('scanning the top level of an object', () => {
  it('finds each member around nested values', () => {
    expect(membersOf(' { "a" : {"b":[1,{"a":"}"}]} ,"c":[ ] , "d":null}')).toEqual([
      ['a', '{"b":[1,{"a":"}"}]}'],
      ['c', '[ ]'],
      ['d', 'null'],
    ]);
  });

  it('keeps the digits of numbers', () => {
    expect(membersOf('{"seed":12345678901234567890,"t":1.50,"e":1E+2}')).toEqual([
      ['seed', '12345678901234567890'],
      ['t', '1.50'],
      ['e', '1E+2'],
    ]);
  });

  it('reads escapes in keys, and skips escaped quotes in strings', () => {
    expect(membersOf('{"mo\\u0064el":"a\\\\\\"b\\\\","x":"\\""}')).toEqual([
      ['model', '"a\\\\\\"b\\\\"'],
      ['x', '"\\""'],
    ]);
  });

  it('skips a byte order mark', () => {
    expect(membersOf('\ufeff{"a":1}')).toEqual([['a', '1']]);
  });

  it('finds a member by its key, with or without escapes', () => {
    const json = Buffer.from('{"i":0,"idle":1,"\\u0069d":2,"x\\"":3}');
    const valueOf = (key: string) => json[findMember(json, key)?.valueStart ?? 0];
    expect(['i', 'id', 'idle', 'x"', 'idl'].map(valueOf)).toEqual([...Buffer.from('0213{')]);
  });

  it('finds no member in an empty object', () => {
    expect(findMember(Buffer.from('{ }'), 'a')).toBeNull();
  });

  it('agrees with JSON.parse on any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.nat(4), (object, spaces) => {
        const text = JSON.stringify(object, null, spaces);
        const found = membersOf(text).map(([key, value]) => [key, JSON.parse(value)]);
        expect(found).toEqual(Object.entries(JSON.parse(text) as object));
      }),
    );
  });
});
