import { openWorld, pathOf, signedIn, storeCalls, time } from './world.mjs';

const SEEN_MS = 3_000;
const ROUNDS = 5;

/** How long after its commit a call is announced to somebody who watches. */
export async function measureLive(context) {
  const { progress, report } = context;
  const world = await openWorld(context);
  if (world === null) return;
  progress.step('console: watching');
  await storeCalls(world, 1, () => ({ id: 'before', trace_id: 'before' }));
  const page = await signedIn(world);
  await page.goto(pathOf(world, 'calls'));
  await page.locator('[role=row][aria-rowindex]').first().waitFor();
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    await storeCalls(world, 1, () => ({ id: `live-${round}`, trace_id: `live-${round}` }));
    const newer = page.getByRole('button', { name: 'Show newer calls' });
    times.push(await time(() => newer.waitFor()));
    await newer.click();
    await newer.waitFor({ state: 'detached' });
  }
  const most = Math.max(...times);
  report.add({
    ...{ measure: 'a new call is seen, at most', value: most, unit: 'ms' },
    ...{ target: `<= ${SEEN_MS} ms`, isMet: most <= SEEN_MS, note: `${ROUNDS} calls` },
  });
  await page.context().close();
}
