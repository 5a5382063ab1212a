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
import { fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import { writeUpstreams } from './faulty-gateway.fixture.js';
import { GatewayClient } from './gateway-client.fixture.js';

/** Number of kills. Hundreds find rare races: `HONE_KILL_RUNS=200`. */
const RUNS = roundsOf(20, 'HONE_KILL_RUNS');
/** Answers between two kills, at least. `HONE_KILL_RUNS=40 HONE_KILL_CHATS=250` is ten thousand chats. */
const CHATS = Number(process.env['HONE_KILL_CHATS'] ?? 100);
const LANES = 6;
/** Pause between the requests of a lane: the next gateway needs processor time to start. */
const PAUSE_MS = 40;
/** Longest time under load before a kill. */
const LOAD_MS = 600;

const EMBEDDED = { model: 'hone-tiny', max_tokens: 4 };
const KINDS: readonly Record<string, unknown>[] = [
  { model: 'chat' },
  { model: 'chat', stream: true },
  EMBEDDED,
  { ...EMBEDDED, stream: true, stream_options: {} },
];

describe('a gateway that is killed under load', () => {
  let database: TestDatabase;
  let fake: FakeUpstream;
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
    const model = 'ok+pace@1';
    const file = await writeUpstreams({
      upstreams: [{ name: 'local', kind: 'embedded' }, fakeUpstream(fake, 'up', [model])],
      routes: [
        routeTo('chat', { upstream: 'up', model }),
        routeTo('hone-tiny', { upstream: 'local', model: 'hone-tiny' }),
      ],
    });
    environment = { DATABASE_URL: database.url, HONE_DATA_DIR: dataDir, HONE_UPSTREAMS: file };
  });
  afterAll(async () => {
    await Promise.all(started.map((service) => service.stop('SIGKILL')));
    await fake.stop();
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

  it(
    'has one record of every request whose last byte was seen, none twice, and right sums',
    async () => {
      const acknowledged: string[] = [];
      let client: GatewayClient | null = null;
      let isRunning = true;
      const lane = async (first: number) => {
        for (let n = first; isRunning; n++) {
          const rid = newId();
          const answer = await client?.ask(KINDS[n % KINDS.length] ?? {}, { 'x-request-id': rid }).catch(() => null);
          if (answer?.isWhole) acknowledged.push(rid);
          await sleep(PAUSE_MS);
        }
      };
      const lanes = Array.from({ length: LANES }, (_, first) => lane(first));
      let gateway = await start();
      for (let kills = 0; kills < RUNS; kills++) {
        const before = acknowledged.length;
        client = new GatewayClient(gateway.url, key);
        // Running answers end with the process; the next process answers new requests and adopts the journal.
        const [next] = await Promise.all([start(), until(() => acknowledged.length >= before + CHATS)]);
        await sleep(Math.random() * LOAD_MS);
        await gateway.stop('SIGKILL');
        gateway = next;
      }
      await gateway.stop('SIGKILL');
      isRunning = false;
      await Promise.all(lanes);

      const last = await start();
      const journal = join(dataDir, 'gateway', 'journal');
      const unrecorded = () =>
        countOf(`unnest($1::text[]) AS rid WHERE rid NOT IN (SELECT rid FROM usage_records)`, acknowledged);
      await until(async () => (await unrecorded()) === 0).catch(() => undefined);
      expect(await last.stop()).toBe(0);
      expect(await unrecorded()).toBe(0);
      expect(await countOf('(SELECT rid FROM usage_records GROUP BY rid HAVING count(*) > 1) AS twice')).toBe(0);
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
      expect(acknowledged.length).toBeGreaterThanOrEqual(RUNS * CHATS);
      process.stdout.write(`${RUNS} kills, ${acknowledged.length} acknowledged requests\n`);
    },
    120_000 + RUNS * 40_000,
  );
});
