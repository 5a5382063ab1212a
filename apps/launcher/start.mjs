/**
 * What `npm start` runs: builds, then becomes the launcher. The launcher runs in this very process, so that the signals
 * that npm passes on reach it.
 */
import { ensureBuilt } from './ensure-built.mjs';

await ensureBuilt();
await import('./dist/main.js');
