import type { Browser, Page } from 'playwright-core';

import { ConsoleSuite } from '../../../testing/console-suite.fixture.js';
import { ownName } from '../../../testing/seeds/projects.fixture.js';
import { startTraining, trainByRewards } from '../../../testing/seeds/training.fixture.js';

const TRAINING = '/console/p/local/default/training';
const [SLOW, FAST] = [ownName('slow'), ownName('fast')];
/** Enough steps for a curve to have a mean. */
const EXAMPLES = 64;

/** An event of a Chromium trace; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  /** Time of the processor, which other processes on a busy machine do not lengthen; very short tasks have none. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** @returns milliseconds of processor time of the longest task that a page's own thread had meanwhile */
async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser() as Browser;
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
  await work();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const threads = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
  );
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && threads.has(threadOf(event)));
  expect(tasks.length).toBeGreaterThan(0);
  return Math.max(...tasks.map(({ dur = 0, tdur = dur }) => tdur)) / 1_000;
}
const goTo = (address: string) => {
  history.pushState(null, '', address);
};

describe('compared jobs', () => {
  let [slow, fast] = ['', ''];
  let rewarded: readonly string[] = [];
  const suite = ConsoleSuite.of(async (hone) => {
    slow = (await startTraining(hone, SLOW, EXAMPLES, { learning_rate: 1e-5 })).job;
    fast = (await startTraining(hone, FAST, EXAMPLES, { learning_rate: 2e-3, n_epochs: 2 })).job;
    const { id: model } = await hone.training.createTrainableModel({
      ...{ entity: 'local', project: 'default', name: ownName('rewarded'), base_model: 'hone-tiny' },
    });
    rewarded = [await trainByRewards(hone, model), await trainByRewards(hone, model)];
  });
  const addressOf = (...ids: readonly string[]) => `${TRAINING}/compare?jobs=${ids.join()}`;

  it('are chosen in the list, and shown over each other while they run and when they have ended', async () => {
    const page = await suite.open(TRAINING);
    const compare = page.getByRole('button', { name: /^Compare/ });
    await page.getByLabel(`Compare the job of ${SLOW}`).focus();
    expect(await compare.isDisabled()).toBe(true);
    await page.keyboard.press('Space');
    await page.getByLabel(`Compare the job of ${FAST}`).check();
    await suite.expectGoodForEveryone(page);
    await compare.click();
    await page.waitForURL(/compare\?jobs=/);
    await page.getByRole('heading', { name: '2 jobs side by side' }).waitFor();
    const facts = page.getByRole('region', { name: 'Compared jobs' });
    const stateOf = (name: string) => facts.getByRole('row', { name });
    await stateOf('State').getByText('succeeded').nth(1).waitFor();
    await stateOf('Model').getByRole('link', { name: FAST }).waitFor();
    await stateOf('Gradient steps').getByText('32 of 32').waitFor();
    await stateOf('Gradient steps').getByText('64 of 64').waitFor();

    const loss = page.locator('figure', { has: page.getByRole('img', { name: 'loss over 64 steps' }) });
    await loss.getByText('A mean').waitFor();
    await loss.getByText('B mean').waitFor();
    expect(await loss.locator('canvas').count()).toBe(1);
    const settings = page.getByRole('region', { name: 'Table of settings' }).getByRole('row');
    await settings.filter({ hasText: 'learning_rate' }).getByText('0.00001').waitFor();
    await settings.filter({ hasText: 'n_epochs' }).getByText('2', { exact: true }).waitFor();
    expect(await settings.filter({ hasText: 'batch_size' }).count()).toBe(0);

    // The one that learned faster ended lower.
    const outcomes = page.getByRole('region', { name: 'Table of outcomes' });
    const lossRow = outcomes.getByRole('row', { name: /^last loss / }).getByRole('cell');
    const [a, b] = [Number(await lossRow.nth(0).textContent()), Number(await lossRow.nth(1).textContent())];
    expect([a > 0, b < a]).toEqual([true, true]);
    await suite.expectGoodForEveryone(page);

    await page.getByLabel('Lines').selectOption('means');
    await loss.getByText('A mean').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('img', { name: 'loss over 64 steps' }).waitFor();
    expect(await loss.getByText('A mean').count()).toBe(0);
    await page.goBack();
    await page.getByRole('region', { name: 'Table of jobs' }).waitFor();
  });

  it('of reinforcement learning, whose figures are nearly equal, are drawn without holding up the page', async () => {
    const page = await suite.open(TRAINING);
    await page.getByRole('region', { name: 'Table of jobs' }).waitFor();
    const longestMs = await longestTask(page, async () => {
      await page.evaluate(goTo, addressOf(...rewarded));
      await page.getByRole('heading', { name: '2 jobs side by side' }).waitFor();
      const ratio = page.getByRole('img', { name: /^offpolicy\/ratio_mean over / });
      await ratio.locator('canvas').waitFor();
      await page.getByText(/more figures$/).click();
      await page.locator('details canvas').last().waitFor();
      await page.getByRole('link', { name: 'Training', exact: true }).first().hover();
    });
    expect(longestMs).toBeLessThan(200);
    await suite.expectGoodForEveryone(page);
  });

  it('are four at most, each once, and two at least', async () => {
    const page = await suite.open(addressOf(slow, slow, fast));
    await page.getByRole('heading', { name: '2 jobs side by side' }).waitFor();
    const few = await suite.open(addressOf(slow));
    await few.getByText('Too few jobs are chosen').waitFor();
    await suite.expectGoodForEveryone(few);
  });

  it('show the server’s sentence where one of them is not there', async () => {
    const page = await suite.open(addressOf(slow, '01900000-0000-7000-8000-000000000000'));
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByRole('alert').first().textContent()).toMatch(/no (training )?job/i);
    const odd = await suite.open(addressOf(slow, encodeURIComponent('<script>__proto__')));
    await odd.getByRole('alert').first().waitFor();
  });
});
