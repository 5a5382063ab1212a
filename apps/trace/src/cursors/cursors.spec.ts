import { randomBytes } from 'node:crypto';

import { ValidationError } from '@hone/platform';
import { jest } from '@jest/globals';

import type { CursorKeyRepository } from './cursor-key.repository.js';
import { type CursorPage, Cursors, type PageBody } from './cursors.js';

const QUERY = { project_id: 'acme/demo', filter: { ids: ['a'] }, sort_by: null };
const key = randomBytes(32);
const keysOf = (...keys: (Buffer | Error)[]) => {
  const get = jest.fn(async () => {
    const next = keys.length > 1 ? keys.shift() : keys[0];
    if (next instanceof Error) throw next;
    return next as Buffer;
  });
  return { get } as unknown as CursorKeyRepository & { get: jest.Mock };
};
const cursors = new Cursors(keysOf(key));
const open = (body: PageBody, query: object = QUERY, endpoint = 'calls') => cursors.open(body, endpoint, query);
const refusal = async (body: PageBody, query?: object, endpoint?: string) => {
  const error = await open(body, query, endpoint).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ValidationError ? error.issues.map(({ loc, msg }) => [loc[1], msg]) : error;
};
const tokenOf = async (...values: (string | null)[]) => ((await open({ cursor: '' })) as CursorPage).next(values);
const WRONG = [['cursor', 'Input should be a cursor of this query']];

describe('Cursors', () => {
  it('is not used without a cursor, and begins with an empty one', async () => {
    expect(await open({})).toBeUndefined();
    expect(await open({ cursor: null, offset: 3, limit: 0 })).toBeUndefined();
    expect(await open({ cursor: '' })).toMatchObject({ after: undefined, limit: 1_000 });
    expect(await open({ cursor: '', limit: 7 })).toMatchObject({ limit: 7 });
  });

  it('goes on after the row that it names, in every process with the key', async () => {
    const values = ['2026-01-15T10:00:00.000Z', null, 'é"\u{1f600}'];
    const token = await tokenOf(...values);
    expect((await open({ cursor: token }))?.after).toEqual(values);
    const elsewhere = new Cursors(keysOf(Buffer.from(key)));
    const sameQuery = { sort_by: null, filter: { ids: ['a'] }, project_id: 'acme/demo', query: undefined };
    expect((await elsewhere.open({ cursor: token }, 'calls', sameQuery))?.after).toEqual(values);
  });

  it('refuses what it did not write for this query', async () => {
    const token = await tokenOf('a', 'b');
    const [content, mac] = token.split('.') as [string, string];
    const other = Buffer.from('["a","c"]').toString('base64url');
    for (const cursor of [
      'x',
      '.',
      '..',
      'null',
      content,
      `${other}.${mac}`,
      `${content}.${mac.slice(1)}`,
      `${token}.`,
      `${token}A`,
      `${token}=`,
      ` ${token}`,
    ])
      expect([cursor, await refusal({ cursor })]).toEqual([cursor, WRONG]);
    for (let at = 0; at < token.length; at++) {
      const cursor = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect([at, await refusal({ cursor })]).toEqual([at, WRONG]);
    }
    expect(await refusal({ cursor: token }, { ...QUERY, project_id: 'acme/other' })).toEqual(WRONG);
    expect(await refusal({ cursor: token }, { ...QUERY, filter: { ids: ['a', 'b'] } })).toEqual(WRONG);
    expect(await refusal({ cursor: token }, QUERY, 'objects')).toEqual(WRONG);
    const foreign = new Cursors(keysOf(randomBytes(32)));
    await expect(foreign.open({ cursor: token }, 'calls', QUERY)).rejects.toThrow(ValidationError);
  });

  it('refuses an offset, and a page of none, beside a cursor', async () => {
    expect(await refusal({ cursor: 'x', offset: 0, limit: 0 })).toEqual([
      ['limit', 'Input should be greater than or equal to 1'],
      ['offset', 'A cursor and an offset exclude each other'],
      ...WRONG,
    ]);
  });

  it('reads the key once, and again after it could not', async () => {
    const repository = keysOf(new Error('away'), key);
    const later = new Cursors(repository);
    await expect(later.open({ cursor: '' }, 'calls', QUERY)).rejects.toThrow('away');
    await Promise.all([1, 2, 3].map(() => later.open({ cursor: '' }, 'calls', QUERY)));
    expect(repository.get).toHaveBeenCalledTimes(2);
  });
});
