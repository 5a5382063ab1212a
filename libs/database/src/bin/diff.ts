import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { EmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { diffSchemas } from '../migrations/diff.js';
import { PRISMA_DIR } from '../migrations/migrate.js';

/** `npm run db:diff`: prints the SQL from the committed schema to the edited one, as the draft of the next migration. */
const dir = await mkdtemp(join(tmpdir(), 'hone-diff-'));
const postgres = await EmbeddedPostgres.start({ dir });
try {
  const schema = join(PRISMA_DIR, 'schema.prisma');
  let committed = '';
  try {
    committed = execFileSync('git', ['show', `HEAD:./schema.prisma`], {
      cwd: PRISMA_DIR,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    // No commit holds a schema yet: diff from an empty database.
  }
  console.log(await diffSchemas(postgres.url('postgres'), committed, await readFile(schema, 'utf8')));
} finally {
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
}
