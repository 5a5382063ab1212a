import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '@hone/testing';
import pg from 'pg';

import { EmbeddedPostgres } from './embedded-postgres.js';

describe('an embedded Postgres', () => {
  let dir: string;
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
    server = await EmbeddedPostgres.start({ dir });
  });
  afterAll(async () => {
    await server.stop();
    await rm(dir, { recursive: true });
  });

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: server.url('postgres') });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  it('tells of its end, though it had recovered by itself from the end of a connection before', async () => {
    const client = await connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const lost = new Promise((resolve) => client.once('end', resolve));
    process.kill((rows[0] as { pid: number }).pid, 'SIGKILL');
    await lost;
    const next = await until(() => connect().catch(() => null), 'a server that has recovered');
    await next.query('SELECT 1');
    process.kill(server.pid as number, 'SIGKILL');
    expect(await server.died).toBe('postgres ended (SIGKILL)');
    await next.end().catch(() => undefined);
  });
});
