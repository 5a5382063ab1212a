import type { Page } from 'playwright-core';

import { untilCount } from '../../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../../testing/console-suite.fixture.js';
import { AGENT_TRACES, seedAgentTraces } from '../../../testing/seeds/agent-traces.fixture.js';
import { makeProject, ownName } from '../../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('agents')}`;
const CALLS = `/console/p/${PROJECT}/calls`;
/** More calls than a page has, all of the last minutes. */
const MANY = `local/${ownName('many')}`;
const MANY_CALLS = 230;
/** Used by the newest of them. */
const TRAINED = `hone-artifact:///${MANY}/helper:step3`;
const USAGE = { [TRAINED]: { requests: 1, prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } };
const LARGE = { width: 1680, height: 800 };

describe('the rows of the list of calls', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    await seedAgentTraces(hone, PROJECT);
    await makeProject(hone, MANY);
    const at = (n: number) => new Date(Date.now() - 600_000 + n).toISOString();
    const batch = Array.from({ length: MANY_CALLS }, (_, n) => ({
      ...{ id: `many-${n}`, trace_id: `many-${n}`, op_name: `call ${n}`, started_at: at(n), ended_at: at(n + 1) },
      ...{ attributes: {}, inputs: {}, output: null, summary: n === MANY_CALLS - 1 ? { usage: USAGE } : {} },
    }));
    const [entity = '', project = ''] = MANY.split('/');
    await hone.trace.completeProjectCalls({ entity, project }, { batch } as never);
  });

  const rowsOf = (page: Page) => page.locator('[role=row][aria-rowindex]');
  const row = (page: Page, index: number) => page.locator(`[role=row][aria-rowindex="${index}"]`);
  const cells = (page: Page, index: number) => row(page, index).getByRole('gridcell').allInnerTexts();
  const histogram = (page: Page) => page.getByRole('slider', { name: /^Calls over time/ });
  const time = (page: Page) => page.getByLabel('Time', { exact: true });

  it('say what each call was about, and what its whole trace used', async () => {
    const page = await suite.open(CALLS);
    await page.setViewportSize(LARGE);
    await untilCount(rowsOf(page), AGENT_TRACES.length);
    await page.getByRole('img', { name: 'good' }).waitFor();
    const [, , name, input, output, model, tokens, cost, feedback, user] = await cells(page, 1);
    expect([name, input]).toEqual(['answer_customer', 'How do I reset my password?']);
    expect(output).toBe('Open Settings, then Security.');
    expect([model, tokens, cost]).toEqual(['gpt-4.1', '860', '$0.0021']);
    expect(feedback?.trim()).toBe('2');
    expect(user).toBe('ada');
    // The root ended well, and a call below it failed.
    await row(page, 2).getByRole('img', { name: '1 error below' }).waitFor();
    expect((await cells(page, 2))[4]).toBe('1 error below The refund is on its way.');
    await page.getByText('TimeoutError: no answer in 30 s').waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('name trained models as people say it, and in full as tooltips', async () => {
    const page = await suite.open(`/console/p/${MANY}/calls?columns=name,model`);
    await row(page, 1).getByText('helper:step3', { exact: true }).waitFor();
    await row(page, 1).getByTitle(TRAINED).waitFor();
    const facet = page.getByRole('list', { name: 'Model', exact: true });
    await facet.getByRole('checkbox', { name: /^helper:step3/ }).check();
    await untilCount(rowsOf(page), 1);
    const query = page.getByRole('combobox', { name: 'Query' });
    expect(await query.inputValue()).toBe(`trace has (model = "${TRAINED}")`);
  });

  it('show feedback that is given beside them, and names of users instead of ids', async () => {
    const page = await suite.open(`${CALLS}?facets=off&columns=name,feedback,user`);
    await row(page, 4).click();
    await page.getByRole('button', { name: 'Bad answer' }).click();
    await row(page, 4).getByRole('img', { name: 'bad' }).waitFor();
    await row(page, 4).getByText('admin', { exact: true }).waitFor();
    expect((await cells(page, 4)).at(-1)).toBe('admin');
  });

  it('say what they can on a telephone', async () => {
    const page = await suite.open(CALLS);
    await page.setViewportSize({ width: 390, height: 800 });
    await row(page, 1).getByText('How do I reset my password?').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Tokens' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
  });

  it('are of a time that is dragged over their histogram, again after a reload', async () => {
    const page = await suite.open(`${CALLS}?range=30d`);
    await untilCount(rowsOf(page), AGENT_TRACES.length);
    await page.getByText('7 calls, 1 failed').waitFor();
    const { x, y, width, height } = (await histogram(page).boundingBox()) as NonNullable<
      Awaited<ReturnType<ReturnType<Page['locator']>['boundingBox']>>
    >;
    // Over the last three of thirty days: not the call of four days ago.
    await page.mouse.move(x + 0.91 * width, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 0.95 * width, y + height / 2);
    await page.mouse.move(x + width - 1, y + height / 2);
    await page.mouse.up();
    await untilCount(rowsOf(page), AGENT_TRACES.length - 1);
    await page.waitForURL(/range=\d{4}-\d{2}-\d{2}T.*\.\.\d{4}/);
    await page.reload();
    await untilCount(rowsOf(page), AGENT_TRACES.length - 1);
    await time(page).selectOption('Any time');
    await untilCount(rowsOf(page), AGENT_TRACES.length);
  });

  it('are of a time that keys choose, and that is read out', async () => {
    const page = await suite.open(`${CALLS}?range=30d`);
    await page.getByText('7 calls, 1 failed').waitFor();
    await histogram(page).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    expect(await histogram(page).getAttribute('aria-valuetext')).toMatch(/: 6 calls, 1 failed$/);
    await suite.expectGoodForEveryone(page);
    await histogram(page).focus();
    for (const key of ['End', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key);
    await untilCount(rowsOf(page), AGENT_TRACES.length - 1);
  });

  it('are of yesterday, or from one day to another', async () => {
    const page = await suite.open(CALLS);
    await time(page).selectOption('Yesterday');
    await untilCount(rowsOf(page), 4);
    await time(page).selectOption('From – to …');
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('From', { exact: true }).fill(day(5));
    await page.getByLabel('To', { exact: true }).fill(day(3));
    await untilCount(rowsOf(page), 1);
    await page.reload();
    await untilCount(rowsOf(page), 1);
  });

  it('are of the time that an older address names in minutes', async () => {
    const page = await suite.open(`${CALLS}?range=60`);
    await untilCount(rowsOf(page), 2);
    expect(await time(page).inputValue()).toBe('1h');
  });

  it('go on past the first page of a time that counts back from now', async () => {
    const page = await suite.open(`/console/p/${MANY}/calls?range=60`);
    await rowsOf(page)
      .getByText(`call ${MANY_CALLS - 1}`, { exact: true })
      .waitFor();
    const last = rowsOf(page).getByText('call 0', { exact: true });
    while ((await last.count()) === 0) {
      await page.getByRole('row').last().hover();
      await page.mouse.wheel(0, 5_000);
    }
    await last.waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('are offered from within traces where no root matches', async () => {
    const page = await suite.open(`${CALLS}?q=op_name+%3D+lookup_order`);
    await page.getByText('No call matches').waitFor();
    await page.getByText('5 calls within traces match').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'Show them' }).click();
    await untilCount(rowsOf(page), 5);
    await page.goto(new URL(`${CALLS}?q=op_name+%3D+nothing`, page.url()).href);
    await page.getByText('No call matches').waitFor();
    expect(await page.getByRole('button', { name: /^Show/ }).count()).toBe(0);
  });
});
