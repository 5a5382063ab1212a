import { setTimeout as sleep } from 'node:timers/promises';

import { Hone } from '@hone/client';
import { chromium } from 'playwright-core';

import { findChromium } from '../../.ci/browser/find-chromium.mjs';
import { RunningHone } from '../../.ci/running-hone.mjs';

const BATCH = 1_000;
const AT_ONCE = 4;
export const PLACE = { entity: 'local', project: 'default' };
const READ_MS = 2_000;
/** A started process clears away what its start took within so much time, and takes a core for it. */
const REST_MS = 20_000;
const VIEWPORT = { width: 1_280, height: 800 };

/**
 * Hone as `npm start` runs it, and a Chromium that is signed in to its console; shared by the measures of a run.
 * Null: there is no Chromium, which the report says.
 */
let world;

export async function openWorld({ cleanup, progress, report }) {
  world ??= start(cleanup, progress);
  const opened = await world;
  if (opened === null) report.add({ measure: 'console', value: null, unit: '', note: 'Chromium is not there' });
  return opened;
}

async function start(cleanup, progress) {
  const executablePath = findChromium();
  if (executablePath === null) return null;
  progress.step('console: starting Hone');
  const running = await RunningHone.start();
  cleanup.add(() => running.remove());
  progress.step('console: letting it come to rest');
  await sleep(REST_MS);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  cleanup.add(() => browser.close());
  const hone = new Hone({ baseUrl: running.url, apiKey: running.key });
  return { hone, browser, url: running.url };
}

/** A page of a browser that has loaded nothing yet, of somebody who is signed in. */
export async function signedIn({ hone, browser, url }) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const { path } = await hone.accounts.createSignInCode();
  const answer = await context.request.post(`${url}/account/sessions/redeem`, {
    data: { code: path.split('#')[1] },
    headers: { 'x-hone-console': '1' },
  });
  if (!answer.ok()) throw new Error(`The console let nobody in: ${answer.status()}`);
  return context.newPage();
}

/**
 * A page of somebody who has read the home page, its figures included: Chromium compiles and stores its code meanwhile,
 * and Postgres counts the calls, neither of which is part of the page that is opened next. Its long tasks are watched.
 */
export async function readerAtHome(world) {
  const page = await signedIn(world);
  await watchTasks(page);
  await page.goto(pathOf(world, ''));
  await page.getByRole('term').filter({ hasText: 'p95 latency' }).waitFor();
  await page.waitForTimeout(READ_MS);
  return page;
}

export const pathOf = ({ url }, page) => `${url}/console/p/${PLACE.entity}/${PLACE.project}/${page}`;

/** Stores finished calls. @param make the call at a position; fields that it leaves out are those of a small call */
export async function storeCalls({ hone }, count, make) {
  const begin = Date.now();
  const batches = Array.from({ length: Math.ceil(count / BATCH) }, (_, at) => at * BATCH);
  const one = (at) => ({
    ...{ id: `c-${at}`, trace_id: `t-${at}`, parent_id: null, op_name: 'bench.op' },
    ...{ started_at: new Date(begin - at * 10).toISOString(), ended_at: new Date(begin - at * 10 + 5).toISOString() },
    ...{ attributes: {}, inputs: { question: `What is ${at}?` }, output: `It is ${at}.`, summary: {} },
    ...make(at),
  });
  const work = async () => {
    for (let from = batches.pop(); from !== undefined; from = batches.pop()) {
      const first = from;
      const batch = Array.from({ length: Math.min(BATCH, count - first) }, (_, at) => one(first + at));
      await hone.trace.completeProjectCalls(PLACE, { batch });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Milliseconds until the work is done. */
export async function time(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/**
 * Milliseconds from the start of the navigation to the frame in which the page shows it, by the page's own clock: the
 * driver looks only every half second. The page is looked at when it changes: a look in each frame would take a part of
 * the processor time that the page needs.
 *
 * @param isThere function of the page: whether it is shown
 */
export async function timeToSee(page, url, isThere) {
  await page.addInitScript(`
    globalThis.seenAtMs = new Promise((resolve) => {
      const isThere = ${isThere};
      const changes = new MutationObserver(() => {
        if (!isThere()) return;
        changes.disconnect();
        requestAnimationFrame(() => resolve(performance.now()));
      });
      changes.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    });
  `);
  await page.goto(url);
  return page.evaluate(() => globalThis.seenAtMs);
}

/** Lets the page note how long its longest task was. */
const watchTasks = (page) =>
  page.addInitScript(() => {
    globalThis.longestTaskMs = 0;
    new globalThis.PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        globalThis.longestTaskMs = Math.max(globalThis.longestTaskMs, duration);
    }).observe({ entryTypes: ['longtask'] });
  });

export const longestTask = (page) => page.evaluate(() => globalThis.longestTaskMs);
