import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { newId } from '@hone/database';
import {
  createTestDatabase,
  createTestUser,
  roundsOf,
  type ServiceProcess,
  startService,
  type TestDatabase,
  until,
} from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { UsageDriftRepository } from '../../metering/recording/usage-drift.repository.js';
import { CompletionServer } from '../completion-server.fixture.js';
import { EmbeddingServer } from '../embedding-server.fixture.js';
import { MediaServer } from '../media/media-server.fixture.js';
import { type DoorRequest, doorRequests, doorUpstreams } from './door-requests.fixture.js';
import { writeUpstreams } from './faulty-gateway.fixture.js';
import { GatewayClient } from './gateway-client.fixture.js';

/** Number of kills. Hundreds find rare races: `HONE_KILL_RUNS=200`. */
const RUNS = roundsOf(20, 'HONE_KILL_RUNS');
/** Answers between two kills, at least. `HONE_KILL_RUNS=40 HONE_KILL_CHATS=250` is ten thousand requests. */
const ANSWERS = Number(process.env['HONE_KILL_CHATS'] ?? 100);
const LANES = 6;
/** Pause between the requests of a lane: the next gateway needs processor time to start. */
const PAUSE_MS = 40;
/** Longest time under load before a kill. */
const LOAD_MS = 600;

const REQUESTS = doorRequests();

interface Charged {
  readonly rid: string;
  readonly status: string;
  readonly target: string | null;
  readonly cost: number;
}

interface Acknowledged {
  readonly rid: string;
  readonly request: DoorRequest;
  readonly isHit: boolean;
}

/** What was spent on each model, by the records and by the sums for budgets. */
const RECORDED_MODELS = `
  SELECT scope, id, period, since::text, route AS model, sum(cost_nano_usd)::text AS cost
  FROM usage_records, LATERAL (VALUES ('key', key_id), ('project', project_id)) AS subject (scope, id),
    LATERAL (VALUES ('day', day), ('month', date_trunc('month', day)::date)) AS span (period, since)
  WHERE cost_nano_usd > 0 GROUP BY 1, 2, 3, 4, 5`;
const SUMMED_MODELS = `
  SELECT scope, subject_id AS id, period, since::text, model, cost_nano_usd::text AS cost FROM usage_models`;

describe('a gateway that is killed under load', () => {
  let database: TestDatabase;
  let fake: FakeUpstream;
  const completions = new CompletionServer();
  const embeddings = new EmbeddingServer();
  const media = new MediaServer();
  let dataDir: string;
  let environment: Record<string, string>;
  let key: string;
  beforeAll(async () => {
    [database, fake, dataDir] = await Promise.all([
      createTestDatabase(),
      FakeUpstream.start(),
      mkdtemp(join(tmpdir(), 'gateway-kill-')),
    ]);
    ({ key } = await createTestUser(database.db, 'wendy'));
    const servers = [await completions.start(), await embeddings.start(), await media.start()] as const;
    const file = await writeUpstreams(doorUpstreams(fake, ...servers));
    environment = { DATABASE_URL: database.url, HONE_DATA_DIR: dataDir, HONE_UPSTREAMS: file };
  });
  afterAll(async () => {
    await Promise.all(started.map((service) => service.stop('SIGKILL')));
    await Promise.all([fake.stop(), completions.stop(), embeddings.stop(), media.stop()]);
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  const started: ServiceProcess[] = [];
  const start = async () => {
    const service = await startService('inference-gateway', environment);
    started.push(service);
    return service;
  };
  const countOf = async (sql: string, ...parameters: unknown[]) =>
    Number((await database.sql<{ count: string }>(`SELECT count(*) AS count FROM ${sql}`, parameters))[0]?.count);

  const sumsOf = (sql: string) => database.sql(`${sql} ORDER BY 1, 2, 3, 4, 5`);

  it(
    'has one record of every request whose last byte was seen, none twice, and right sums, through every door',
    async () => {
      const asked: string[] = [];
      const acknowledged: Acknowledged[] = [];
      let client: GatewayClient | null = null;
      let isRunning = true;
      const ask = async (request: DoorRequest) => {
        const rid = newId();
        asked.push(rid);
        const answer = await client
          ?.postUntilCut(request.path, request.body, { ...request.headers, 'x-request-id': rid })
          .catch(() => null);
        if (!answer || !request.isWhole(answer)) return;
        acknowledged.push({ rid, request, isHit: answer.headers.get('hone-cache') === 'hit' });
      };
      const lane = async (first: number) => {
        for (let n = first; isRunning; n += LANES) {
          await ask(REQUESTS[n % REQUESTS.length]!);
          await sleep(PAUSE_MS);
        }
      };
      /** Asks everything at once, and kills the gateway as soon as a random number of these requests has ended. */
      const killAmidAnswers = (gateway: ServiceProcess) =>
        new Promise<unknown>((resolve) => {
          let left = 1 + Math.floor(Math.random() * REQUESTS.length);
          for (const request of REQUESTS) {
            void ask(request).then(() => --left === 0 && resolve(gateway.stop('SIGKILL')));
          }
        });
      const lanes = Array.from({ length: LANES }, (_, first) => lane(first));
      let gateway = await start();
      for (let kills = 0; kills < RUNS; kills++) {
        const before = acknowledged.length;
        client = new GatewayClient(gateway.url, key);
        // Running answers end with the process; the next process answers new requests and adopts the journal.
        const [next] = await Promise.all([start(), until(() => acknowledged.length >= before + ANSWERS)]);
        await sleep(Math.random() * LOAD_MS);
        await killAmidAnswers(gateway);
        gateway = next;
      }
      await gateway.stop('SIGKILL');
      isRunning = false;
      await Promise.all(lanes);

      const last = await start();
      const journal = join(dataDir, 'gateway', 'journal');
      const rids = acknowledged.map(({ rid }) => rid);
      const unrecorded = () =>
        countOf(`unnest($1::text[]) AS rid WHERE rid NOT IN (SELECT rid FROM usage_records)`, rids);
      await until(async () => (await unrecorded()) === 0).catch(() => undefined);
      expect(await last.stop()).toBe(0);
      expect(await unrecorded()).toBe(0);
      expect(await countOf('(SELECT rid FROM usage_records GROUP BY rid HAVING count(*) > 1) AS twice')).toBe(0);
      // The requests that one becomes at its upstreams have no records of their own.
      expect(await countOf('usage_records WHERE rid <> ALL($1::text[])', asked)).toBe(0);
      // A record and the call that its request was are stored together.
      const uncalled = `usage_records u WHERE NOT EXISTS (SELECT FROM calls c WHERE c.project_id = u.project_id AND c.id = u.rid)`;
      expect(await countOf(uncalled)).toBe(0);
      expect(await countOf('calls')).toBe(await countOf('usage_records'));
      expect(await countOf('call_values')).toBe(await countOf('usage_records'));
      expect(await readdir(journal)).toEqual([]);
      const days = await database.sql<{ day: string }>(`SELECT DISTINCT day::text AS day FROM usage_records`);
      const drift = new UsageDriftRepository(database.db);
      for (const { day } of days) {
        expect(await drift.countWrongHours(day)).toBe(0);
        expect(await drift.countWrongMonths(`${day.slice(0, 7)}-01`)).toBe(0);
      }
      await expectRightCosts(acknowledged);
      const spoken = new Set(fake.requests.map(({ path }) => path));
      expect([...spoken].sort()).toEqual(['/v1/chat/completions', '/v1/messages', '/v1/responses']);
      expect(await sumsOf(RECORDED_MODELS)).toEqual(await sumsOf(SUMMED_MODELS));
      expect(acknowledged.length).toBeGreaterThanOrEqual(RUNS * ANSWERS);
      process.stdout.write(`${RUNS} kills, ${acknowledged.length} acknowledged requests\n`);
    },
    120_000 + RUNS * 40_000,
  );

  async function expectRightCosts(acknowledged: readonly Acknowledged[]): Promise<void> {
    const rows = await database.sql<Charged>(
      'SELECT rid, status, target, cost_nano_usd::int AS cost FROM usage_records',
    );
    const rowOf = new Map(rows.map((row) => [row.rid, row]));
    const charged = acknowledged.map(({ rid, request, isHit }) => {
      const row = rowOf.get(rid);
      // What is not known before is what it is.
      const expected = isHit ? 0 : (request.costNanoUsd ?? row?.cost);
      return { request, got: [row?.status, row?.cost, row?.target === 'cache'], expected: ['ok', expected, isHit] };
    });
    for (const { request, got, expected } of charged) expect({ request, got }).toEqual({ request, got: expected });
    // Every kind of request was answered, and the cache was asked in earnest.
    const answered = new Set(acknowledged.map(({ request }) => request));
    expect(REQUESTS.filter((request) => !answered.has(request))).toEqual([]);
    expect(acknowledged.filter(({ isHit }) => isHit).length).toBeGreaterThan(RUNS);
  }

  it('has spent budgets of models after a kill at once', async () => {
    const user = await createTestUser(database.db, 'bea');
    const modelBudgets = JSON.stringify([{ model: 'ch*', dailyBudgetNanoUsd: 1, monthlyBudgetNanoUsd: null }]);
    await database.sql(`INSERT INTO usage_limits (scope, subject_id, model_budgets) VALUES ('key', $1, $2::jsonb)`, [
      user.keyId,
      modelBudgets,
    ]);
    const first = await start();
    expect((await new GatewayClient(first.url, user.key).ask({ model: 'chat' })).status).toBe(200);
    await first.stop('SIGKILL');
    const second = await start();
    const client = new GatewayClient(second.url, user.key);
    await until(async () => (await client.ask({ model: 'chat' })).status === 402, 'the spent budget');
    expect((await client.ask({ model: 'hone-tiny', max_tokens: 4 })).status).toBe(200);
    expect(await second.stop()).toBe(0);
    expect(await sumsOf(RECORDED_MODELS)).toEqual(await sumsOf(SUMMED_MODELS));
    const charged = `usage_models WHERE subject_id = $1 AND period = 'day' AND model = 'chat' AND cost_nano_usd > 1`;
    expect(await countOf(charged, user.keyId)).toBe(1);
  });
});
