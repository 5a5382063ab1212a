/**
 * `npm run models`: manages base models with the engine as it was built. It builds only where nothing was: a Hone that
 * serves from this checkout keeps the files that it was started with.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, 'dist/bin/models.js');
if (!existsSync(SCRIPT)) {
  const nx = join(import.meta.dirname, '../../node_modules/nx/dist/bin/nx.js');
  const stdio = ['ignore', 2, 2];
  const { status } = spawnSync(process.execPath, [nx, 'run', '@hone/engine:build', '--output-style=static'], { stdio });
  if (status !== 0) process.exit(status ?? 1);
}
process.argv[1] = SCRIPT;
await import(SCRIPT);
