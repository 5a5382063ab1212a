import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Database, EmbeddedPostgres, migrate, newId } from '@hone/database';
import { createTestUser } from '@hone/testing';
import pg from 'pg';

import { Service } from '../harness/service.mjs';

const ENTITY = 'bench';
/** Room for the whole text of a query in pg_stat_activity, where the EXPLAIN check finds it. */
const SETTINGS = { track_activity_query_size: '16384' };

/**
 * A Postgres as `npm start` has it (fsync on, default settings), migrated, with one user and one key, in a temporary
 * folder. Made at the first measure that needs it, shared by the others.
 */
export class World {
  static #made;

  static of(context) {
    World.#made ??= World.#make(context);
    return World.#made;
  }

  constructor(context, postgres, url, user) {
    this.context = context;
    this.postgresPid = postgres.pid;
    this.url = url;
    this.userId = user.id;
    this.key = user.key;
    this.authorization = `Basic ${Buffer.from(`api:${user.key}`).toString('base64')}`;
  }

  static async #make(context) {
    const { cleanup, progress } = context;
    progress.step('starting Postgres');
    const dir = await mkdtemp(join(tmpdir(), 'hone-bench-'));
    cleanup.add(() => rm(dir, { recursive: true, force: true }));
    const postgres = await EmbeddedPostgres.start({ dir, settings: SETTINGS });
    cleanup.add(() => postgres.stop());
    await postgres.createDatabase('hone');
    const url = postgres.url('hone');
    await migrate(url);
    const database = Database.connect({ url, poolSize: 1 });
    const user = await createTestUser(database, ENTITY);
    await database.close();
    return new World(context, postgres, url, user);
  }

  /** @returns {Promise<{ id: string, rowId: string }>} `id` as requests name it, `rowId` as tables do */
  async makeProject(client, name) {
    const rowId = newId();
    await client.query(
      `INSERT INTO projects (id, entity_id, name, created_by)
       SELECT $1, id, $2, $3 FROM entities WHERE name = $4`,
      [rowId, name, this.userId, ENTITY],
    );
    return { id: `${ENTITY}/${name}`, rowId };
  }

  /** A fresh trace service: no measure inherits another one's heap. */
  /** @param {{ isLean?: boolean }} [start] */
  startTrace(start) {
    return Service.start(this.context, 'trace', { DATABASE_URL: this.url }, start);
  }

  /** Plain connections for the peer's side. */
  async connect(count) {
    const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: this.url }));
    for (const client of clients) client.on('error', () => undefined); // the server stops before they do on Ctrl-C
    await Promise.all(clients.map((client) => client.connect()));
    return clients;
  }
}
