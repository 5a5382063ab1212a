/** `run-built.mjs <module> <arguments>` builds, then runs a module of the repository as if it had been called. */
import { resolve } from 'node:path';

import { ensureBuilt } from './ensure-built.mjs';

await ensureBuilt();
process.argv.splice(1, 2, resolve(process.argv[2]));
await import(process.argv[1]);
