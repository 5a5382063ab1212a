import { readdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { REPOSITORY } from '../harness/paths.mjs';
import { openWorld, pathOf, signedIn, storeCalls, timeToSee } from './world.mjs';

const CONSOLE = fileURLToPath(new URL('apps/console/dist/', REPOSITORY));
const ASSETS = `${CONSOLE}assets/`;
const FIRST_LOAD_KB = 180;
const CHUNK_KB = 80;
const FIRST_TABLE_MS = 1_500;
const CALLS = 1_000;
/** Loaded only where somebody asks for them. */
const LAZY = /^(?:codemirror|markdown)/;

/** What the browser has to load before it shows something, and how long that takes. */
export async function measureLoad(context) {
  const { progress, report } = context;
  const world = await openWorld(context);
  if (world === null) return;
  progress.step('console: first table');
  await storeCalls(world, CALLS, () => ({}));
  const page = await signedIn(world);
  const loaded = new Set();
  page.on('response', (response) => {
    const name = new URL(response.url()).pathname.split('/').at(-1);
    if (name.endsWith('.js')) loaded.add(name);
  });
  const tableMs = await timeToSee(
    page,
    pathOf(world, 'calls'),
    () => globalThis.document.querySelector('[role=row][aria-rowindex]') !== null,
  );
  const sizes = await compressedSizes();
  const shell = await shellFiles();
  report.add(kilobytes('first load of JavaScript, gzip', sum([...loaded], sizes), FIRST_LOAD_KB));
  const [chunk, bytes] = [...sizes]
    .filter(([name]) => !shell.has(name) && !LAZY.test(name))
    .reduce((most, one) => (one[1] > most[1] ? one : most));
  report.add({ ...kilobytes('largest chunk of a view, gzip', bytes, CHUNK_KB), note: chunk });
  report.add({
    ...{ measure: 'first table after a cold load', value: tableMs, unit: 'ms' },
    ...{ target: `<= ${FIRST_TABLE_MS} ms`, isMet: tableMs <= FIRST_TABLE_MS },
  });
  await page.context().close();
}

/** Name of a script -> bytes of its gzip. */
async function compressedSizes() {
  const names = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
  const entries = names.map(async (name) => [name, (await stat(`${ASSETS}${name}.gz`)).size]);
  return new Map(await Promise.all(entries));
}

/** The scripts that every page loads. */
async function shellFiles() {
  const html = await readFile(`${CONSOLE}index.html`, 'utf8');
  return new Set([...html.matchAll(/assets\/([^"]+\.js)"/g)].map(([, name]) => name));
}

const sum = (names, sizes) => names.reduce((total, name) => total + (sizes.get(name) ?? 0), 0);

const kilobytes = (measure, bytes, limit) => ({
  ...{ measure, value: bytes / 1_024, unit: 'KB' },
  ...{ target: `<= ${limit} KB`, isMet: bytes / 1_024 <= limit },
});
