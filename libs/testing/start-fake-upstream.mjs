/** What `npm run fake-upstream` runs. */
import { ensureBuilt } from '../../apps/launcher/ensure-built.mjs';

await ensureBuilt();
await import('./dist/fake-upstream/bin.js');
