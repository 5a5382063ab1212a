import { openWorld, pathOf, signedIn, storeCalls } from './world.mjs';

const CALLS = 100_000;
const QUICK_CALLS = 10_000;
const FRAME_MS = 20;
const WHEELS = 150;
const WHEEL_PX = 1_200;

/** How smoothly a list of many calls scrolls, pages being read on the way. */
export async function measureScroll(context) {
  const { progress, report, options } = context;
  const world = await openWorld(context);
  if (world === null) return;
  const calls = options.quick ? QUICK_CALLS : CALLS;
  progress.step(`console: storing ${calls} calls`);
  await storeCalls(world, calls, (at) => ({ id: `scroll-${at}`, trace_id: `scroll-${at}`, op_name: 'bench.scroll' }));
  progress.step('console: scrolling');
  const page = await signedIn(world);
  await page.goto(pathOf(world, 'calls'));
  await page.locator('[role=row][aria-rowindex]').first().waitFor();
  await page.evaluate(() => {
    globalThis.frames = [];
    let last = performance.now();
    const note = (now) => {
      globalThis.frames.push(now - last);
      last = now;
      globalThis.requestAnimationFrame(note);
    };
    globalThis.requestAnimationFrame(note);
  });
  await page.getByRole('grid').hover();
  for (let at = 0; at < WHEELS; at++) await page.mouse.wheel(0, WHEEL_PX);
  const frames = (await page.evaluate(() => globalThis.frames)).sort((a, b) => a - b);
  const p95 = frames[Math.floor(0.95 * frames.length)];
  const seen = await page.locator('[role=row][aria-rowindex]').last().getAttribute('aria-rowindex');
  report.add({
    ...{ measure: `scrolling ${calls} calls, p95 of a frame`, value: p95, unit: 'ms' },
    ...{ target: `<= ${FRAME_MS} ms`, isMet: p95 <= FRAME_MS, note: `${frames.length} frames, down to row ${seen}` },
  });
  await page.context().close();
}
