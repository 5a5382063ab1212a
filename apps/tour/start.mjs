/** What `npm run tour` runs. */
import { ensureBuilt } from '../launcher/ensure-built.mjs';

await ensureBuilt();
await import('./dist/main.js');
