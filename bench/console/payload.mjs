import { longestTask, openWorld, pathOf, signedIn, storeCalls, timeToSee, watchTasks } from './world.mjs';

const BYTES = 20_000_000;
const OPEN_MS = 1_000;
const TASK_MS = 200;
const ROW = { name: 'a name that is as long as others', numbers: [1, 2, 3, 4.5], nested: { deep: { deeper: true } } };

/** A call with a very large output: until its page shows the value, and the longest time that the page is held. */
export async function measurePayload(context) {
  const { progress, report } = context;
  const world = await openWorld(context);
  if (world === null) return;
  const output = Array.from({ length: Math.ceil(BYTES / JSON.stringify(ROW).length) }, () => ROW);
  progress.step('console: storing a call of 20 MB');
  await storeCalls(world, 1, () => ({ id: 'large', trace_id: 'large', op_name: 'bench.large', output }));
  progress.step('console: opening it');
  const page = await signedIn(world);
  await watchTasks(page);
  await page.goto(pathOf(world, ''));
  const openMs = await timeToSee(page, pathOf(world, 'calls/large'), () =>
    [...globalThis.document.querySelectorAll('button')].some(({ ariaLabel }) =>
      /^(Open|Close) \d{6,} entries/.test(ariaLabel ?? ''),
    ),
  );
  const taskMs = await longestTask(page);
  report.add({
    ...{ measure: 'a call of 20 MB, until its output', value: openMs, unit: 'ms' },
    ...{ target: `<= ${OPEN_MS} ms`, isMet: openMs <= OPEN_MS },
  });
  report.add({
    ...{ measure: 'its longest task', value: taskMs, unit: 'ms' },
    ...{ target: `<= ${TASK_MS} ms`, isMet: taskMs <= TASK_MS },
  });
  await page.context().close();
}
