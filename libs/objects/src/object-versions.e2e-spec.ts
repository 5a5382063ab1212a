import { ValueRepository } from '@hone/calls';
import { newId } from '@hone/database';
import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { ObjectVersionsRepository } from './object-versions.repository.js';

const PROJECT = newId();
const OBJECT = 'prompt';

describe('versions of objects', () => {
  let test: TestDatabase;
  let objects: ObjectVersionsRepository;
  beforeAll(async () => {
    test = await createTestDatabase();
    objects = new ObjectVersionsRepository(test.db, new ValueRepository(test.db));
    for (const [at, digest] of ['first', 'second', 'third'].entries())
      await test.sql(
        `INSERT INTO object_versions (project_id, object_id, digest, version_index, created_at, kind, svc_user_id, val_text, size_bytes)
         VALUES ($1, $2, $3, $4, now(), 'object', $1, $5, $6)`,
        [PROJECT, OBJECT, digest, at, `{"text": "${digest}"}`, 10 + at],
      );
    await test.sql(
      `INSERT INTO object_heads (project_id, object_id, next_version_index, latest_digest) VALUES ($1, $2, 3, 'third')`,
      [PROJECT, OBJECT],
    );
    await test.sql(
      `INSERT INTO object_aliases (project_id, object_id, alias, digest, weights, created_at, svc_user_id)
       VALUES ($1, $2, 'steady', 'first', NULL, now(), $1), ($1, $2, 'split', 'first', '{"first": 3, "second": 1}', now(), $1)`,
      [PROJECT, OBJECT],
    );
  });
  afterAll(() => test.drop());

  const found = async (selector: Parameters<typeof objects.find>[2], projectRowId = PROJECT) =>
    (await objects.find(projectRowId, OBJECT, selector))?.map(({ digest, weight }) => [digest, weight]) ?? null;

  it('are found by what a selector names', async () => {
    expect(await found({ by: 'latest' })).toEqual([['third', 1]]);
    expect(await found({ by: 'index', versionIndex: 1 })).toEqual([['second', 1]]);
    expect(await found({ by: 'digest', digest: 'first' })).toEqual([['first', 1]]);
    expect(await found({ by: 'alias', alias: 'steady' })).toEqual([['first', 1]]);
    expect((await found({ by: 'alias', alias: 'split' }))?.sort()).toEqual([
      ['first', 3],
      ['second', 1],
    ]);
  });

  it('are not found elsewhere, nor once they are deleted', async () => {
    expect(await found({ by: 'latest' }, newId())).toBeNull();
    expect(await found({ by: 'index', versionIndex: 7 })).toBeNull();
    expect(await found({ by: 'alias', alias: 'nobody' })).toBeNull();
    await test.sql(`UPDATE object_versions SET deleted_at = now() WHERE digest = 'third'`);
    expect(await found({ by: 'digest', digest: 'third' })).toBeNull();
    expect(await objects.read(PROJECT, OBJECT, 'third')).toBeNull();
  });

  it('read as their text', async () => {
    expect(await objects.read(PROJECT, OBJECT, 'second')).toBe('{"text": "second"}');
    expect(await objects.read(newId(), OBJECT, 'second')).toBeNull();
  });
});
