import { fieldOverMemberLimit, MAX_MEMBERS, MAX_VALUES } from './member-limit.js';

const members = (count: number, of: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => of(at)).join(',');

describe('fieldOverMemberLimit', () => {
  it.each<[string, string]>([
    ['logit_bias', `{${members(MAX_MEMBERS, (id) => `"${id}": 1`)}}`],
    ['x\\"y', `[${members(MAX_MEMBERS, () => '[]')}]`],
    ['input', `[${members(MAX_VALUES + 1, () => '1')}]`],
    ['messages', `[${members(MAX_MEMBERS / 2, () => '{"role":"{[:"}')}]`],
  ])('names the field %s, which holds too much', (field, value) => {
    expect(fieldOverMemberLimit(Buffer.from(`{"model":"m","${field}":${value},"z":1}`))).toBe(`"${field}"`);
  });

  it('names the last of too many fields', () => {
    const body = `{${members(MAX_MEMBERS + 1, (at) => `"field-${at}":1`)}}`;
    expect(fieldOverMemberLimit(Buffer.from(body))).toBe(`"field-${MAX_MEMBERS - 1}"`);
  });

  it('does not count characters in strings', () => {
    const text = JSON.stringify('{"a":[:'.repeat(MAX_MEMBERS) + '\\');
    expect(fieldOverMemberLimit(Buffer.from(`{"text":${text}}`))).toBeNull();
    expect(fieldOverMemberLimit(Buffer.from(`{"numbers":[${members(MAX_MEMBERS * 2, String)}]}`))).toBeNull();
  });

  it.each(['"', '"'.repeat(600_001), '\\'.repeat(600_000), ']'.repeat(600_000)])('takes no harm from %#', (text) => {
    expect(fieldOverMemberLimit(Buffer.from(text))).toBeNull();
  });
});
