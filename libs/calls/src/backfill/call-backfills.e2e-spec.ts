import { Database, newId } from '@hone/database';
import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { CallBackfillsRepository } from './call-backfills.repository.js';

const NAME = 'letters';

describe('backfills of calls', () => {
  let test: TestDatabase;
  let database: Database;
  let backfills: CallBackfillsRepository;
  beforeAll(async () => {
    test = await createTestDatabase();
    database = Database.connect({ url: test.url });
    backfills = new CallBackfillsRepository(database);
  });
  beforeEach(() => test.sql('TRUNCATE calls, call_backfills'));
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const addCalls = (projectRowId: string, ...ids: string[]) =>
    test.sql('INSERT INTO calls (project_id, id, svc_user_id) SELECT $1, unnest($2::text[]), $1', [projectRowId, ids]);

  /** A backfill that notes its batches. */
  function noting(batchCalls = 2, fail: (ids: readonly string[]) => boolean = () => false) {
    const batches: string[][] = [];
    const fill = async (_projectRowId: string, ids: readonly string[]) => {
      if (fail(ids)) throw new Error('fails');
      batches.push([...ids]);
    };
    return { batches, backfill: { name: NAME, batchCalls, fill } };
  }

  it('deals with all calls of the projects that asked, in batches by id across partitions', async () => {
    const [first, second, other] = [newId(), newId(), newId()];
    const dated = newId();
    await addCalls(first, 'b', 'a', dated);
    await addCalls(second, 'z');
    await addCalls(other, 'none');
    await backfills.request(first, NAME);
    await backfills.request(second, NAME);
    const { batches, backfill } = noting();
    while (await backfills.step(backfill));
    expect(batches).toEqual([[dated, 'a'], ['b'], ['z']]);
    expect(await backfills.progress(first, NAME)).toEqual({ isFinished: true, doneCalls: 3, totalCalls: 3 });
    expect(await backfills.progress(other, NAME)).toBeNull();
    expect(await backfills.step(backfill)).toBe(false);
  });

  it('goes on behind the last batch that was committed', async () => {
    const project = newId();
    await addCalls(project, 'a', 'b', 'c', 'd', 'e');
    await backfills.request(project, NAME);
    const { batches, backfill } = noting(2, (ids) => ids.includes('c'));
    await backfills.step(backfill); // counts
    await backfills.step(backfill);
    await expect(backfills.step(backfill)).rejects.toThrow('fails');
    expect(await backfills.progress(project, NAME)).toEqual({ isFinished: false, doneCalls: 2, totalCalls: 5 });
    const rest = noting();
    while (await new CallBackfillsRepository(database).step(rest.backfill));
    expect([...batches, ...rest.batches]).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('is done by one process at a time, while other kinds of work go on', async () => {
    const project = newId();
    await addCalls(project, 'a');
    await backfills.request(project, NAME);
    await backfills.request(project, 'other');
    const { backfill } = noting();
    await backfills.step(backfill);
    let during: unknown[] = [];
    const fill = async () => {
      const beside = (name: string) => database.detached(() => backfills.step({ ...backfill, name }));
      during = [await beside(NAME), await beside('other')];
    };
    await backfills.step({ ...backfill, fill });
    expect(during).toEqual([null, true]);
  });

  it('begins again when it is asked for again, and ends when it is called off', async () => {
    const project = newId();
    await addCalls(project, 'a');
    const { batches, backfill } = noting();
    for (let round = 0; round < 2; round++) {
      await backfills.request(project, NAME);
      while (await backfills.step(backfill));
    }
    expect(batches).toEqual([['a'], ['a']]);
    await backfills.request(project, NAME);
    await backfills.cancel(project, NAME);
    expect(await backfills.step(backfill)).toBe(false);
    expect(await backfills.progress(project, NAME)).toBeNull();
  });
});
