import type { Page } from 'playwright-core';

import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { aChart, seedDashboard, seedHostileDashboard } from '../../testing/seeds/dashboards.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { seedMonth } from '../../testing/seeds/month.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('dashboards')}`;
const BASE = `/console/p/${PROJECT}/dashboards`;
const DAYS = 20;

describe('dashboards', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    await seedMonth(hone, PROJECT, DAYS);
  });

  const add = (page: Page) => page.getByRole('button', { name: 'Add a chart' });
  const dialog = (page: Page) => page.getByRole('dialog');
  const chart = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it('are made, filled with charts, saved and opened again by their address', async () => {
    const page = await suite.open(BASE);
    await page.getByRole('button', { name: 'New dashboard' }).click();
    await dialog(page).getByLabel('Name').fill('Spend of the team');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/dashboards\/dashboard-spend_of_the_team$/);
    await page.getByText('No charts yet').waitFor();
    await add(page).click();
    await dialog(page).getByLabel('Cost', { exact: true }).check();
    await dialog(page).getByText('have no axis in common').waitFor();
    await dialog(page).getByLabel('Calls', { exact: true }).uncheck();
    await dialog(page).getByLabel('Shown as').selectOption('Bars');
    await dialog(page).getByLabel('Group by').selectOption('Model');
    await dialog(page).getByLabel('One bucket is').selectOption('A day');
    await dialog(page).getByRole('combobox', { name: 'Query' }).fill('op_name = "answer"');
    await dialog(page).getByRole('button', { name: 'Add chart' }).click();
    await page.getByLabel('Time', { exact: true }).selectOption('Last 30 days');
    const spend = chart(page, 'Chart 1: Cost by model');
    // Of each day three calls answer: one of gpt-4.1, two of gpt-4.1-mini.
    await spend.getByText('gpt-4.1-mini').waitFor();
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await suite.expectGoodForEveryone(page);
    const address = page.url();
    const shown = await spend.getByRole('list').last().innerText();
    await page.goto('about:blank');
    await page.goto(address);
    await spend.getByText('gpt-4.1-mini').waitFor();
    expect(await spend.getByRole('list').last().innerText()).toBe(shown);
    await spend.getByRole('link', { name: 'gpt-4.1-mini' }).click();
    await page.waitForURL(/\/calls\?/);
    const query = new URL(page.url()).searchParams.get('q');
    expect(query).toMatch(/^started_at >= .* and \(op_name = "answer"\) and model = "gpt-4\.1-mini"$/);
  });

  const orderOf = (page: Page) =>
    page
      .locator('main section[aria-label^="Chart "]')
      .evaluateAll((sections) => sections.map((section) => section.getAttribute('aria-label')?.slice(-1)));
  const valueOf = async (object_id: string) =>
    (await suite.hone.trace.readObject({ project_id: PROJECT, object_id, digest: 'latest' })).obj.val as {
      readonly [name: string]: unknown;
      readonly charts: readonly Readonly<Record<string, unknown>>[];
    };
  const versionsOf = async (object_id: string) =>
    (await suite.hone.trace.queryObjects({ project_id: PROJECT, filter: { object_ids: [object_id] } })).objs.length;

  it('are arranged by keys alone, and what is not saved outlasts a reload', async () => {
    const charts = ['A', 'B', 'C'].map((title) => aChart({ title, own: `of a script, ${title}` }));
    const id = await seedDashboard(suite.hone, PROJECT, 'by keys', charts, { own: [1, 'x'] });
    const page = await suite.open(`${BASE}/${id}`);
    await chart(page, 'Chart 3: C').waitFor();
    await page.getByRole('button', { name: 'Edit' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move on: A' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('A is now chart 2 of 3.').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByText('A is now chart 3 of 3.').waitFor({ state: 'attached' });
    expect(await orderOf(page)).toEqual(['B', 'C', 'A']);
    // At the end the way back has the focus.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move back: A');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Two columns wide: A', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Remove: B' }).focus();
    await page.keyboard.press('Enter');
    expect(await orderOf(page)).toEqual(['C', 'A']);
    await suite.expectGoodForEveryone(page);
    await page.reload();
    await page.getByRole('button', { name: 'Two columns wide: A', pressed: true }).waitFor();
    expect(await orderOf(page)).toEqual(['C', 'A']);
    expect((await valueOf(id)).charts).toHaveLength(3);
    await page.getByLabel('Name', { exact: true }).fill('By keys alone');
    await page.getByRole('button', { name: 'Save as a new version' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'By keys alone' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    const { name, own, charts: saved } = await valueOf(id);
    expect([name, own]).toEqual(['By keys alone', [1, 'x']]);
    expect(saved.map(({ title, width, own: mine }) => [title, width, mine])).toEqual([
      ['C', 1, 'of a script, C'],
      ['A', 2, 'of a script, A'],
    ]);
    expect(await versionsOf(id)).toBe(2);
  });

  it('have one time and one comparison, which the address keeps', async () => {
    const id = await seedDashboard(
      suite.hone,
      PROJECT,
      'of one time',
      [
        aChart({ kind: 'number', measures: ['calls', 'cost'] }),
        aChart({ kind: 'table', measures: ['calls'], group_by: ['op'], width: 2 }),
        aChart({ kind: 'bars', measures: ['calls'], filter: 'op_name = "retrieve"' }),
        aChart({ kind: 'number', measures: ['errors', 'thumbs_down'] }),
      ],
      { time_span: '365d', compare: false },
    );
    const page = await suite.open(`${BASE}/${id}`);
    const numbers = chart(page, 'Chart 1: Calls, Cost');
    await numbers.getByText(String(DAYS * 4), { exact: true }).waitFor();
    expect(await numbers.getByText('%').count()).toBe(0);
    await page.getByLabel('Time', { exact: true }).selectOption('Yesterday');
    await numbers.getByText('4', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Compare with the time before' }).click();
    await numbers.getByText('±0 %').first().waitFor();
    await chart(page, 'Chart 2: Calls by op').getByText('±0 %').first().waitFor();
    expect(new URL(page.url()).search).toBe('?span=yesterday&compare=on');
    await suite.expectGoodForEveryone(page);
    await page.reload();
    await numbers.getByText('±0 %').first().waitFor();
    await numbers.getByText('4', { exact: true }).waitFor();
    // What is counted is a click away.
    await chart(page, 'Chart 3: Calls').locator('li b').getByText('1', { exact: true }).waitFor();
    await chart(page, 'Chart 2: Calls by op').getByRole('link', { name: 'retrieve' }).click();
    await page.waitForURL(/\/calls\?.*op=retrieve/);
    await page.locator('main').getByText('retrieve').first().waitFor();
    for (const [name, condition] of [
      ['Failed calls', 'status = error'],
      ['Thumbs down', 'feedback has (type = "hone.reaction.1" and emoji = "👎")'],
    ] as const) {
      await page.goBack();
      const figure = page.locator('dl > div', { has: page.getByText(name, { exact: true }) });
      await figure.getByRole('link').click();
      await page.waitForURL(/\/calls\?/);
      expect(new URL(page.url()).searchParams.get('q')?.endsWith(` and ${condition}`)).toBe(true);
    }
  });

  it('lose nothing where two people change one', async () => {
    const id = await seedDashboard(suite.hone, PROJECT, 'of two', [aChart({ title: 'First' })]);
    const query = { project_id: PROJECT, filter: { object_ids: [id], is_op: false }, metadata_only: true };
    const before = await suite.hone.trace.queryObjects({ ...query, include_tags_and_aliases: true });
    const page = await suite.open(`${BASE}/${id}`);
    await chart(page, 'Chart 1: First').waitFor();
    let isBehind = true;
    await page.route('**/objs/query', (route) =>
      isBehind && !route.request().postData()?.includes('latest_only')
        ? route.fulfill({ json: before })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Two columns wide: First' }).click();
    await seedDashboard(suite.hone, PROJECT, 'of two', [aChart({ title: 'Theirs' })]);
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByText('Somebody else has saved a version in the meantime.').waitFor();
    expect((await valueOf(id)).charts.map(({ title }) => title)).toEqual(['Theirs']);
    isBehind = false;
    await page.getByText('There is a newer version than the one that you began from: v1').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'Save mine after v1' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await chart(page, 'Chart 1: First').waitFor();
    expect((await valueOf(id)).charts.map(({ title, width }) => [title, width])).toEqual([['First', 2]]);
    expect(await versionsOf(id)).toBe(3);
    // Theirs is a version of its own, by its address; and so is one that is changed back.
    await page.goto(new URL(`${BASE}/${id}?version=v1`, page.url()).href);
    await chart(page, 'Chart 1: Theirs').waitFor();
    await page.getByText('This is v1; there is a newer one, v2.').waitFor();
    await page.getByRole('button', { name: 'Show v2' }).click();
    await chart(page, 'Chart 1: First').waitFor();
  });

  it('of a script show what can be shown, and say what cannot', async () => {
    const id = await seedHostileDashboard(suite.hone, PROJECT);
    const page = await suite.open(`${BASE}/${id}`);
    await chart(page, 'Chart 1: Calls').getByRole('slider').waitFor();
    for (const said of [
      'Its time is none that Hone knows: the last 24 hours are shown.',
      'It is not grouped by “moon”: there is no such group.',
      'There is no chart of the kind “pie”: it is shown as lines.',
      'A bucket of “-1” seconds cannot be: it is as the time suggests.',
      'On the same axis there is no place for “p95_latency_ms”.',
      'Its filter cannot be read: At 9: Expected one of =, !=, <, <=, >, >=, contains, in, exists.',
      'Its condition says what the query line cannot say.',
      'By scorer there is no “calls”.',
    ])
      await page.getByText(said).waitFor();
    await page.getByText(/^There is no measure “happiness”, “w+”\.$/).waitFor();
    expect(await page.getByText('This chart cannot be shown.').count()).toBe(6);
    expect(await page.title()).toBe('Hone');
    await suite.expectGoodForEveryone(page);
    // Whatever it says stays when something else is changed.
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Two columns wide: Calls' }).click();
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    const { charts, time_span: span } = await valueOf(id);
    expect([charts.length, charts[0]?.['width'], charts[3]?.['filter'], charts[7], span]).toEqual([
      ...[10, 2, 'op_name contians "x"', 7, 'for ever'],
    ]);
  });

  it('say of one chart what is wrong while the others are there', async () => {
    const id = await seedDashboard(suite.hone, PROJECT, 'half', [
      aChart({ title: 'Good' }),
      aChart({ title: 'Bad', measures: ['cost'] }),
    ]);
    const page = await suite.open('/console/p/local/default');
    await page.route('**/calls/charts', (route) =>
      route.request().postData()?.includes('"cost"')
        ? route.fulfill({ status: 422, json: { detail: 'The query took too long.', code: 'query.timeout' } })
        : route.continue(),
    );
    await page.goto(new URL(`${BASE}/${id}`, page.url()).href);
    await chart(page, 'Chart 1: Good').getByRole('slider').waitFor();
    await chart(page, 'Chart 2: Bad').getByText('The query took too long.').waitFor();
    await suite.expectGoodForEveryone(page);
    await chart(page, 'Chart 2: Bad').getByRole('button', { name: 'Retry' }).waitFor();
    await page.unrouteAll();
    // It is read again by itself, too.
    await chart(page, 'Chart 2: Bad').getByRole('slider').waitFor();
  });

  it('are opened from Home and the sidebar, and deleted', async () => {
    const id = await seedDashboard(suite.hone, PROJECT, 'to delete', []);
    const page = await suite.open(`/console/p/${PROJECT}`);
    await page.getByRole('navigation', { name: 'Dashboards' }).getByRole('link', { name: 'to delete' }).click();
    await page.waitForURL(new RegExp(`/dashboards/${id}$`));
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Dashboards' }).click();
    await page.getByRole('button', { name: 'New dashboard' }).click();
    await dialog(page).getByLabel('Name').fill('To  delete');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('There is a dashboard of this name').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete to delete' }).click();
    await page.getByRole('button', { name: 'Delete the dashboard' }).click();
    await page.getByRole('link', { name: 'to delete' }).waitFor({ state: 'detached' });
    expect(await versionsOf(id)).toBe(0);
  });

  it('are only shown to readers', async () => {
    const id = await seedDashboard(suite.hone, PROJECT, 'read', [aChart({ title: 'Seen' })]);
    const key = await makeMember(suite.hone, ownName('dashboards-reader'), 'reader', ['trace', 'account']);
    const page = await suite.open(`${BASE}/${id}`, key);
    await chart(page, 'Chart 1: Seen').waitFor();
    expect(await page.getByRole('button', { name: /Edit|Add a chart/ }).count()).toBe(0);
  });
});
