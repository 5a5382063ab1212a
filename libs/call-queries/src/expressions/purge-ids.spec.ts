import type { JsonValue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

import { idsOfPurge } from './purge-ids.js';

const id = { $getField: 'id' };
const literal = ($literal: JsonValue) => ({ $literal });

describe('idsOfPurge', () => {
  it.each<[JsonValue, string[]]>([
    [{ $eq: [id, literal('a')] }, ['a']],
    [{ $in: [id, [literal('a'), literal('b'), literal('a')]] }, ['a', 'b']],
    [{ $in: [id, []] }, []],
    [{ $or: [] }, []],
    [{ $or: [{ $eq: [id, literal('a')] }, { $or: [{ $in: [id, [literal('c')]] }] }] }, ['a', 'c']],
  ])('reads %j', (expression, ids) => {
    expect(idsOfPurge(expression)).toEqual(ids);
  });

  it.each<[JsonValue, (string | number)[]]>([
    [{}, []],
    [[], []],
    [{ $gt: [id, literal('a')] }, ['$gt']],
    [{ $not: [{ $eq: [id, literal('a')] }] }, ['$not']],
    [{ $and: [{ $eq: [id, literal('a')] }, { $eq: [id, literal('a')] }] }, ['$and']],
    [{ $eq: [literal('a'), id] }, ['$eq']],
    [{ $eq: [{ $getField: 'model' }, literal('a')] }, ['$eq']],
    [{ $eq: [id, id] }, ['$eq', 1]],
    [{ $eq: [id, literal(1)] }, ['$eq', 1]],
    [{ $eq: [id, literal('a'), literal('b')] }, ['$eq']],
    [{ $eq: [id, literal('\0')] }, ['$eq', 1, '$literal']],
    [{ $in: [id, Array<JsonValue>(1_001).fill(literal('a'))] }, ['$in', 1]],
    [{ $in: [id, literal('a')] }, ['$in']],
    [{ $in: [id, [literal('a'), id]] }, ['$in', 1, 1]],
    [{ $or: [{ $eq: [id, literal('a')] }, { $gte: [id, literal('')] }] }, ['$or', 1, '$gte']],
    [{ $eq: [id, literal('a')], $or: [] }, []],
    [{ $or: { $eq: [id, literal('a')] } }, []],
  ])('refuses %j', (expression, loc) => {
    expect(() => idsOfPurge(expression)).toThrow(ValidationError);
    try {
      idsOfPurge(expression);
    } catch (error) {
      expect((error as ValidationError).issues[0]?.loc).toEqual(['body', 'query', '$expr', ...loc]);
    }
  });
});
