import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '@hone/database';
import {
  createTestDatabase,
  createTestUser,
  roundsOf,
  type ServiceProcess,
  startService,
  type TestDatabase,
  type TestUser,
  until,
} from '@hone/testing';

import { JudgeUpstream } from '../testing/judge-upstream.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';

/** The long form has 40 kills amid 4,000 calls. */
const KILLS = roundsOf(40, 'HONE_VERDICT_KILLS', 4);
const CALLS = 100 * KILLS;
const REPLICAS = 2;
/** Every third kill is one of the gateway. */
const GATEWAY_TURN = 3;
/** Between two times at which half of all leases run out. */
const EXPIRY_MS = 100;
const SETTLED_MS = 60_000;
const KILL_MS = 40_000;

const judge = (model: string, more: object) => ({
  kind: 'llm',
  llm: { model, messages: [{ role: 'user', content: 'Asked: {{messages}}\nAnswered: {{output}}' }], ...more },
});
const SCORERS = {
  short: { kind: 'check', check: { check: 'contains', value: 'even' } },
  helpful: judge('strict', { ratings: [{ name: 'helpful', min: 1, max: 5 }] }),
  polite: judge('cheap', { tags: [{ name: 'polite' }], ratings: [{ name: 'tone', min: -3, max: 3 }] }),
};
const MODELS = { strict: { prompt: 3, completion: 15 }, cheap: { prompt: 0.1, completion: 0.4 } };

describe(`scorings whose workers and gateway are killed ${KILLS} times`, () => {
  const upstream = new JudgeUpstream();
  let database: TestDatabase;
  let writer: TestUser;
  let project: JudgedProject;
  let dataDir: string;
  let gatewayPort: number;
  let gateway: ServiceProcess;
  let replicas: ServiceProcess[];
  beforeAll(async () => {
    [database, dataDir, gatewayPort] = await Promise.all([
      createTestDatabase(),
      mkdtemp(join(tmpdir(), 'killed-workers-')),
      freePort(),
    ]);
    writer = await createTestUser(database.db, 'wendy', { roles: { acme: 'writer' } });
    project = await JudgedProject.of({ ...database, writer });
    const base_url = await upstream.start();
    const configuration = {
      upstreams: [
        { name: 'judges', kind: 'openai-compatible', base_url, models: Object.keys(MODELS).map((name) => ({ name })) },
      ],
      routes: Object.entries(MODELS).map(([id, price]) => ({
        id,
        price,
        targets: [{ upstream: 'judges', model: id }],
      })),
    };
    await writeFile(join(dataDir, 'upstreams.json'), JSON.stringify(configuration));
    [gateway, ...replicas] = await Promise.all([startGateway(), ...Array.from({ length: REPLICAS }, startReplica)]);
  });
  afterAll(async () => {
    await Promise.all([gateway, ...replicas].map((service) => service.stop('SIGKILL')));
    await upstream.stop();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  const startGateway = () =>
    startService(
      'inference-gateway',
      { DATABASE_URL: database.url, HONE_DATA_DIR: dataDir, HONE_UPSTREAMS: join(dataDir, 'upstreams.json') },
      gatewayPort,
    );
  const startReplica = () =>
    startService('evaluation', {
      DATABASE_URL: database.url,
      HONE_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    });
  const countOf = async (sql: string): Promise<number> =>
    Number((await database.sql<{ count: string }>(`SELECT count(*) AS count FROM ${sql}`))[0]?.count);
  const settled = () => countOf('verdicts WHERE settled_at IS NOT NULL');

  /** Leases run out, as those of a frozen process do: what it judges meanwhile belongs to another one. */
  async function expireLeases(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await database.sql(
        `UPDATE verdicts SET lease_expires_at = now() - interval '1 second' WHERE state = 'running' AND random() < 0.5`,
      );
      await sleep(EXPIRY_MS);
    }
  }

  async function kill(round: number): Promise<void> {
    if (round % GATEWAY_TURN === GATEWAY_TURN - 1) {
      expect(await gateway.stop('SIGKILL')).toBe(null);
      gateway = await startGateway();
      return;
    }
    const victim = round % REPLICAS;
    expect(await replicas[victim]?.stop('SIGKILL')).toBe(null);
    replicas[victim] = await startReplica();
  }

  async function createScoring(scorer: string): Promise<void> {
    const response = await fetch(`${replicas[0]?.url}/evaluation/scorings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${writer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: PROJECT, scorer, limit: CALLS }),
    });
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ status: 'queued' })]);
  }

  it(
    'find one verdict of each call and scorer, store it once, and know what all of them cost',
    async () => {
      const calls = Array.from({ length: CALLS }, (_, n) => ({ output: `${n} is ${n % 2 === 0 ? 'even' : 'odd'}` }));
      const ids = await project.addCalls(...calls);
      for (const [name, definition] of Object.entries(SCORERS)) {
        await project.addScorer(name, definition);
        await createScoring(name);
      }
      const all = CALLS * Object.keys(SCORERS).length;
      const expiring = new AbortController();
      const expired = expireLeases(expiring.signal);
      for (let round = 0; round < KILLS; round++) {
        // Checks take no time: kills are spread over the verdicts of the judges.
        const due = CALLS + ((all - CALLS) * (round + 0.5)) / (KILLS + 1);
        await until(async () => (await settled()) >= due, 'verdicts', KILL_MS);
        await sleep(Math.random() * 100);
        if (round === KILLS - 1) {
          // What the last one leaves is found by the time alone.
          expiring.abort();
          await expired;
        }
        await kill(round);
      }
      await until(async () => (await settled()) === all, 'the last verdict', SETTLED_MS);

      const states = await database.sql(
        `SELECT scorer_id AS scorer, state, code, count(*)::int AS calls, count(DISTINCT call_id)::int AS ids FROM verdicts
         GROUP BY 1, 2, 3 ORDER BY 1`,
      );
      expect(states).toEqual(
        Object.keys(SCORERS)
          .sort()
          .map((scorer) => ({ scorer, state: 'done', code: null, calls: CALLS, ids: CALLS })),
      );
      const feedback = await project.feedback();
      const key = (call: string, type: string) => `${call} ${type}`;
      expect(feedback.map(({ call, type }) => key(call, type)).sort()).toEqual(
        ids.flatMap((id) => Object.keys(SCORERS).map((name) => key(id, `hone.runnable.${name}`))).sort(),
      );
      await expectCosts();
      // The verdict is that of the worker that had the call last, whatever others found meanwhile.
      const judged = `verdicts v JOIN feedback f ON f.project_id = v.project_id AND f.id = v.feedback_id
        JOIN usage_records u ON u.project_id = v.project_id AND u.uid::text = split_part(f.call_ref, '/', 4)`;
      const last = `${judged} AND starts_with(u.rid, v.uid || '.' || v.attempt || '.')`;
      expect([await countOf(judged), await countOf(last)]).toEqual([2 * CALLS, 2 * CALLS]);
      expect(await countOf(`verdicts WHERE attempt > 1`)).toBeGreaterThan(0);
      await until(async () => (await countOf(`scorings WHERE status = 'done'`)) === 3, 'the end of all');
      process.stdout.write(`${KILLS} kills, ${all} verdicts, ${await countOf('usage_records')} requests\n`);
    },
    2 * SETTLED_MS + KILLS * KILL_MS,
  );

  /** Every request that a judge answered is booked to its verdict, by whichever process, and to its scoring. */
  async function expectCosts(): Promise<void> {
    const used = `SELECT sum(cost_nano_usd) FROM usage_records u WHERE u.project_id = v.project_id AND starts_with(u.rid, v.uid || '.')`;
    const wrong = `verdicts v WHERE v.cost_nano_usd <> coalesce((${used}), 0)`;
    const sumOf = async (table: string) =>
      Number((await database.sql<{ sum: string }>(`SELECT sum(cost_nano_usd) AS sum FROM ${table}`))[0]?.sum);
    const sums = async () => {
      const [used, verdicts, scorings] = [
        await sumOf('usage_records'),
        await sumOf('verdicts'),
        await sumOf('scorings'),
      ];
      return { used, verdicts, scorings, wrong: await countOf(wrong) };
    };
    // Workers whose leases ran out may still wait for answers, which cost something, too.
    const isBooked = async () => {
      const { used, verdicts, scorings, wrong } = await sums();
      return used === verdicts && used === scorings && wrong === 0;
    };
    await until(isBooked, 'the costs of all verdicts').catch(() => undefined);
    const booked = await sums();
    expect(booked).toEqual({ used: booked.used, verdicts: booked.used, scorings: booked.used, wrong: 0 });
    expect(await sumOf('usage_records')).toBeGreaterThan(0);
    // Nobody but the verdicts has asked.
    expect(await countOf(`usage_records WHERE substr(rid, 37, 1) <> '.'`)).toBe(0);
  }
});
