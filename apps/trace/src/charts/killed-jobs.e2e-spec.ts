import { setTimeout as sleep } from 'node:timers/promises';

import {
  createTestDatabase,
  createTestUser,
  fuzzOf,
  roundsOf,
  type ServiceProcess,
  startService,
  type TestDatabase,
  type TestUser,
} from '@hone/testing';
import { until } from '@hone/testing/until';
import fc from 'fast-check';

import { PROJECT } from '../testing/bodies.fixture.js';
import { forgetDerived } from '../testing/derived.fixture.js';
import { postTo } from '../testing/service.fixture.js';
import { CallWriters, COLOURS, PATIENCE_MS } from './call-writers.fixture.js';
import { aDrawnChart, bodyOf, expectChart, FIRST_MS, iso, MODELS } from './chart-draws.fixture.js';
import { ChartModel } from './chart-model.fixture.js';

/**
 * A table that is held, and the statement with which a job waits for it then, amid its transaction. Null: the process is
 * killed at any moment.
 */
const HOLDS: ([table: string, statement: string] | null)[] = [
  ['call_sums', 'DELETE FROM call_sums'],
  ['call_hour_changes', 'UPDATE calls c SET is_start_derived'],
  ['call_backfills', 'UPDATE call_backfills SET place'],
  ['call_search', 'INSERT INTO call_search '],
  null,
];
const KILLS = roundsOf(60, 'HONE_TRACE_KILLS', HOLDS.length);
/** Longer than any of the jobs waits before it begins. */
const MAX_LIFE_MS = 7_000;
const WRITERS = 3;
/** Calls that are there already, of which jobs have several batches to do. */
const STORED = 1_500;
/** Times that calls begin in, one after the other: an hour that a job forgets is not written to again. */
const TIMES = 8;
const ROUND_MS = 60_000;

describe(`jobs of the trace service that is killed ${KILLS} times`, () => {
  let database: TestDatabase;
  let user: TestUser;
  /** Null: it was killed and is not back. */
  let service: ServiceProcess | null = null;
  const model = new ChartModel();
  const send = async (path: string, body: object) =>
    postTo(await until(() => service, 'its start', PATIENCE_MS), user, path, body);
  const writers = new CallWriters(model, send);
  beforeAll(async () => {
    database = await createTestDatabase();
    user = await createTestUser(database.db, 'wendy', { roles: { acme: 'writer' } });
    // Hours are summed up at once, not after a minute without writes.
    await database.sql(`ALTER TABLE call_hour_changes ALTER changed_at SET DEFAULT now() - interval '1 hour'`);
    service = await startService('trace', { DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await service?.stop('SIGKILL');
    await database.drop();
  });

  async function kill(): Promise<void> {
    const victim = await until(() => service);
    service = null;
    expect(await victim.stop('SIGKILL')).toBe(null);
  }

  /** Kills the process while a job waits for a table. */
  const killAmid = ([table, statement]: [string, string]) =>
    database.db.transaction(async () => {
      await database.db.client.$executeRawUnsafe(`LOCK TABLE ${table} IN SHARE MODE`);
      const waiting = () =>
        database.sql(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND starts_with(ltrim(query, E' \\n'), $1)`,
          [statement],
        );
      await until(async () => (await waiting()).length > 0, statement, PATIENCE_MS);
      await kill();
    });

  /** Half of the calls that were there already are once more as a version before wrote them. */
  const forget = () => forgetDerived(database.sql, `id LIKE 'stored-%' AND hashtext(id) % 2 = 0`);

  /** They are searched for words once more, all of which are counted. This would hide what the queue loses before it. */
  async function backfill(): Promise<void> {
    await database.sql(`DELETE FROM call_search WHERE id LIKE 'stored-%' AND hashtext(id) % 2 = 0`);
    await database.sql(`
      INSERT INTO call_backfills (project_id, name, total_calls)
      SELECT project_id, 'call_search', count(*) FROM calls GROUP BY project_id
      ON CONFLICT (project_id, name) DO UPDATE SET place = '', done_calls = 0, finished_at = NULL`);
  }

  /** Statements of the process that was killed may still run: what it wrote must not come after what is written next. */
  async function restart(isBackfilled: boolean): Promise<void> {
    const running = () =>
      database.sql(`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`);
    await until(async () => (await running()).length === 0, 'the end of its statements', PATIENCE_MS);
    await forget();
    if (isBackfilled) await backfill();
    service = await startService('trace', { DATABASE_URL: database.url });
  }

  /** Nothing is left for any job. */
  const isQuiet = async (): Promise<boolean> => {
    const [row] = await database.sql<{ left: string }>(`SELECT
      (SELECT count(*) FROM calls WHERE NOT is_start_derived OR (ended_at IS NOT NULL AND NOT is_end_derived))
      + (SELECT count(*) FROM call_hour_changes) + (SELECT count(*) FROM call_search_queue)
      + (SELECT count(*) FROM call_backfills WHERE finished_at IS NULL) AS left`);
    return Number(row?.left) === 0;
  };

  const found = async (words: string): Promise<string[]> => {
    const query = { $expr: { $search: { words: { $literal: words } } } };
    const { status, json } = await send('/calls/query', { project_id: PROJECT, query, columns: ['id'] });
    expect([status, json]).toEqual([200, expect.any(Object)]);
    return (json['calls'] as { id: string }[]).map(({ id }) => id).sort();
  };

  it(
    'lose nothing and do nothing twice, while calls are written, end late, are replaced and deleted',
    async () => {
      for (const [n, name] of MODELS.entries()) {
        const price = { prompt_token_cost: n / 1_000, completion_token_cost: 0.002, effective_date: iso(FIRST_MS) };
        expect((await send('/cost/create', { project_id: PROJECT, costs: { [name]: price } })).status).toBe(200);
        model.prices.push({ model: name, fromMs: FIRST_MS, prompt: n / 1_000, completion: 0.002 });
      }
      await writers.write('stored', STORED);
      writers.start(WRITERS);
      for (let round = 0; round < KILLS; round++) {
        writers.shift = 1 + (round % TIMES);
        const hold = HOLDS[round % HOLDS.length];
        const isBackfill = (at: number) => at < KILLS / 2 && HOLDS[at % HOLDS.length]?.[0] === 'call_backfills';
        if (hold && (hold[0] !== 'call_backfills' || isBackfill(round))) await killAmid(hold);
        else await sleep(Math.random() * MAX_LIFE_MS).then(kill);
        await restart(isBackfill(round + 1));
      }
      await writers.stop();
      await until(isQuiet, 'the end of all jobs', PATIENCE_MS);

      for (const drawn of fc.sample(aDrawnChart, { numRuns: fuzzOf(400, 40).numRuns, seed: 7 })) {
        const body = bodyOf(drawn, 1 + TIMES);
        const { status, json } = await send('/calls/charts', body);
        expect(status).toBe(200);
        expect(json['pending_calls']).toBe(0);
        expectChart(json as never, model, body);
      }
      const live = model.calls.filter(({ isDeleted }) => !isDeleted);
      const withWord = (word: string) =>
        live
          .map(({ id }) => id)
          .filter((id) => writers.words.get(id)?.includes(word))
          .sort();
      for (const colour of COLOURS) expect(await found(colour)).toEqual(withWord(colour));
      for (const { id } of model.calls.filter((_, n) => n % 50 === 0)) {
        const [own] = writers.words.get(id) as [string, string];
        expect(await found(own)).toEqual(withWord(own));
        if (own.endsWith('again')) expect(await found(own.slice(0, -'again'.length))).toEqual([]);
      }
      const previews = await database.sql<{ id: string; preview: string }>(
        'SELECT id, input_preview AS preview FROM calls WHERE deleted_at IS NULL ORDER BY id COLLATE "C"',
      );
      expect(previews).toEqual(
        live
          .map(({ id }) => ({ id, preview: writers.words.get(id)?.join(' ') }))
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
    },
    2 * PATIENCE_MS + KILLS * ROUND_MS,
  );
});
