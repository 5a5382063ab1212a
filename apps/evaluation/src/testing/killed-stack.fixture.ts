import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '@hone/database';
import {
  createTestDatabase,
  createTestUser,
  type ServiceProcess,
  startService,
  type TestDatabase,
  type TestUser,
} from '@hone/testing';

import { JudgeUpstream } from './judge-upstream.fixture.js';

const REPLICAS = 2;
/** Every third kill is one of the gateway. */
const GATEWAY_TURN = 3;
/** Between two times at which half of all leases run out. */
const EXPIRY_MS = 100;

/** US dollars for a million tokens. */
type Prices = Readonly<Record<string, { readonly prompt: number; readonly completion: number }>>;

/** A gateway with an upstream of judges, and two replicas of the evaluation service, which are killed. */
export class KilledStack {
  readonly replicas: ServiceProcess[] = [];
  private gateway!: ServiceProcess;

  private constructor(
    readonly database: TestDatabase,
    readonly writer: TestUser,
    private readonly upstream: JudgeUpstream,
    private readonly dataDir: string,
    private readonly gatewayPort: number,
  ) {}

  static async start(models: Prices): Promise<KilledStack> {
    const upstream = new JudgeUpstream();
    const [database, dataDir, gatewayPort, base_url] = await Promise.all([
      createTestDatabase(),
      mkdtemp(join(tmpdir(), 'killed-')),
      freePort(),
      upstream.start(),
    ]);
    const writer = await createTestUser(database.db, 'wendy', { roles: { acme: 'writer' } });
    const names = Object.keys(models).map((name) => ({ name }));
    const configuration = {
      upstreams: [{ name: 'judges', kind: 'openai-compatible', base_url, models: names }],
      routes: Object.entries(models).map(([id, price]) => ({
        ...{ id, price },
        targets: [{ upstream: 'judges', model: id }],
      })),
    };
    await writeFile(join(dataDir, 'upstreams.json'), JSON.stringify(configuration));
    const stack = new KilledStack(database, writer, upstream, dataDir, gatewayPort);
    const [gateway, ...replicas] = await Promise.all([
      stack.startGateway(),
      ...Array.from({ length: REPLICAS }, () => stack.startReplica()),
    ]);
    stack.gateway = gateway;
    stack.replicas.push(...replicas);
    return stack;
  }

  async stop(): Promise<void> {
    await Promise.all([this.gateway, ...this.replicas].map((service) => service.stop('SIGKILL')));
    await this.upstream.stop();
    await this.database.drop();
    await rm(this.dataDir, { recursive: true });
  }

  /** A request to the first replica, which must succeed. @param status of the job then. @returns its answer */
  async post(path: string, body: object, status = 'queued'): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.replicas[0]?.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.writer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    expect([response.status, answer]).toEqual([200, expect.objectContaining({ status })]);
    return answer;
  }

  async countOf(sql: string): Promise<number> {
    return Number((await this.database.sql<{ count: string }>(`SELECT count(*) AS count FROM ${sql}`))[0]?.count);
  }

  async sumOf(column: string, table: string): Promise<number> {
    return Number((await this.database.sql<{ sum: string }>(`SELECT sum(${column}) AS sum FROM ${table}`))[0]?.sum);
  }

  /** Leases run out, as those of a frozen process do: what it works on meanwhile belongs to another one. */
  async expireLeases(items: string, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await this.database.sql(
        // Rows that a worker has locked are left alone: two that lock many in different orders end in a deadlock.
        `UPDATE ${items} SET lease_expires_at = now() - interval '1 second' WHERE uid IN (
           SELECT uid FROM ${items} WHERE state = 'running' AND random() < 0.5 FOR UPDATE SKIP LOCKED)`,
      );
      await sleep(EXPIRY_MS);
    }
  }

  async kill(round: number): Promise<void> {
    if (round % GATEWAY_TURN === GATEWAY_TURN - 1) {
      expect(await this.gateway.stop('SIGKILL')).toBe(null);
      this.gateway = await this.startGateway();
      return;
    }
    const victim = round % REPLICAS;
    expect(await this.replicas[victim]?.stop('SIGKILL')).toBe(null);
    this.replicas[victim] = await this.startReplica();
  }

  private startGateway(): Promise<ServiceProcess> {
    const { dataDir } = this;
    const HONE_UPSTREAMS = join(dataDir, 'upstreams.json');
    const env = { DATABASE_URL: this.database.url, HONE_DATA_DIR: dataDir, HONE_UPSTREAMS };
    return startService('inference-gateway', env, this.gatewayPort);
  }

  private startReplica(): Promise<ServiceProcess> {
    const HONE_GATEWAY_URL = `http://127.0.0.1:${this.gatewayPort}`;
    return startService('evaluation', { DATABASE_URL: this.database.url, HONE_GATEWAY_URL });
  }
}
