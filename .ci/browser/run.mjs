/**
 * `npm run test:browser`: the console in a real browser, against Hone as `npm start` runs it. Needs Chromium, for example
 * Debian's package, or `HONE_CHROMIUM`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { ConsoleHone } from './console-hone.mjs';
import { findChromium } from './find-chromium.mjs';

const REPOSITORY = join(import.meta.dirname, '../..');
const JEST = join(REPOSITORY, 'node_modules/jest/bin/jest.js');

const chromium = findChromium();
if (chromium === null) {
  console.error('Chromium is not there: install it, or set HONE_CHROMIUM.');
  process.exit(1);
}
const hone = await ConsoleHone.start();
try {
  const own = { HONE_URL: hone.url, HONE_API_KEY: hone.key, HONE_UPSTREAMS: hone.upstreamsFile };
  const env = { ...process.env, ...own, HONE_CHROMIUM: chromium };
  const args = [JEST, '--config', 'tools/jest/browser.mjs', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { cwd: REPOSITORY, stdio: 'inherit', env });
  process.exitCode = status ?? 1;
} finally {
  await hone.remove();
}
