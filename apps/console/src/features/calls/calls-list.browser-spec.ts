import type { Page } from 'playwright-core';

import { untilCount } from '../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { seedTrace } from '../../testing/seeds/calls.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';
import { seedVariedCalls } from '../../testing/seeds/varied-calls.fixture.js';

const PROJECT = `local/${ownName('list')}`;
const CALLS = `/console/p/${PROJECT}/calls`;

describe('the list of calls', () => {
  let all = 0;
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    all = await seedVariedCalls(hone, PROJECT);
  });

  const rowsOf = (page: Page) => page.locator('[role=row][aria-rowindex]');
  const queryOf = (page: Page) => page.getByRole('combobox', { name: 'Query' });
  const facet = (page: Page, name: string, value: string) =>
    page.getByRole('list', { name, exact: true }).getByRole('checkbox', { name: value });
  const heads = (page: Page) => page.getByRole('columnheader').allInnerTexts();

  describe('by its query line', () => {
    it('shows the calls that it says, and again after a reload', async () => {
      const page = await suite.open(CALLS);
      await untilCount(rowsOf(page), all);
      await queryOf(page).fill('op_name contains "CHAT" and attributes.user = "ada" and not status = error');
      await page.keyboard.press('Enter');
      await untilCount(rowsOf(page), 1);
      await page.waitForURL(/q=op_name/);
      await page.reload();
      await untilCount(rowsOf(page), 1);
      expect(await queryOf(page).inputValue()).toContain('"CHAT"');
      await queryOf(page).fill('summary.usage."gpt-4.1".total_tokens > 100 or model = "none"');
      await page.keyboard.press('Enter');
      await page.locator('[role=row]').getByText('chat').waitFor();
      await untilCount(rowsOf(page), 1);
    });

    it('completes what is typed, by keys alone', async () => {
      const page = await suite.open(CALLS);
      await queryOf(page).focus();
      await page.keyboard.type('stat');
      await page.getByRole('option', { name: 'status', exact: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: 'status', exact: true, selected: true }).waitFor();
      await page.keyboard.press('Tab');
      expect(await queryOf(page).inputValue()).toBe('status ');
      await page.keyboard.type('= ');
      await page.getByRole('option', { name: '"error"' }).waitFor();
      await page.keyboard.type('er');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=status\+%3D\+%22error%22$/);
      await untilCount(rowsOf(page), 2);
      await queryOf(page).fill('');
      await page.keyboard.type('output.');
      await page.getByRole('option', { name: 'output."a.b"' }).waitFor();
      await suite.expectGoodForEveryone(page);
    });

    it('keeps the row that is pressed beneath the pointer, right after typing', async () => {
      const page = await suite.open(CALLS);
      await untilCount(rowsOf(page), all);
      await queryOf(page).focus();
      await page.keyboard.type('stat');
      await page.getByRole('option', { name: 'status', exact: true }).waitFor();
      const row = rowsOf(page).nth(1);
      const id = (await row.getAttribute('id')) ?? '';
      await row.getByRole('gridcell').nth(1).click();
      await page.getByRole('complementary', { name: 'Selected call' }).waitFor();
      expect(`call-${new URL(page.url()).searchParams.get('call')}`).toBe(id);
      await page.getByRole('option', { name: 'status', exact: true }).waitFor({ state: 'detached' });
      expect(await queryOf(page).inputValue()).toBe('stat');
    });

    it('says what cannot be read, where it is', async () => {
      const page = await suite.open(`${CALLS}?q=op_name+contians+1`);
      const line = queryOf(page);
      await page.getByText('This query cannot be read').waitFor();
      expect(await page.locator('mark').innerText()).toBe('contians');
      const id = (await line.getAttribute('aria-describedby')) ?? '';
      expect(await page.locator(`[id="${id}"]`).innerText()).toContain('At 9: Expected one of =, !=');
      expect(await line.getAttribute('aria-invalid')).toBe('true');
      await suite.expectGoodForEveryone(page);
      await line.fill('x'.repeat(5_000));
      await page.keyboard.press('Enter');
      await page.getByText('A query has at most 4096 characters.').waitFor();
      await line.fill('');
      await page.keyboard.press('Enter');
      await untilCount(rowsOf(page), all);
    });
  });

  describe('by its facets', () => {
    it('counts values, and adds them to the query and takes them away', async () => {
      const page = await suite.open(CALLS);
      await facet(page, 'Status', 'error').waitFor();
      await page.getByRole('list', { name: 'Model' }).getByText('gpt-4.1').waitFor();
      await suite.expectGoodForEveryone(page);
      await facet(page, 'Status', 'error').focus();
      await page.keyboard.press('Space');
      await untilCount(rowsOf(page), 2);
      expect(await queryOf(page).inputValue()).toBe('status = "error"');
      // The others of the field are there to be added.
      await facet(page, 'Status', 'success').check();
      await untilCount(rowsOf(page), all);
      await facet(page, 'Model', 'gpt-4.1').check();
      await untilCount(rowsOf(page), 3);
      expect(await queryOf(page).inputValue()).toBe('status in ("error", "success") and trace has (model = "gpt-4.1")');
      await page.reload();
      await untilCount(rowsOf(page), 3);
      expect(await facet(page, 'Model', 'gpt-4.1').isChecked()).toBe(true);
      await facet(page, 'Model', 'gpt-4.1').uncheck();
      await facet(page, 'Model', 'none').check();
      await untilCount(rowsOf(page), 2);
    });

    it('counts again with the calls that come', async () => {
      const watched = await makeProject(suite.hone, `${PROJECT}-watched`);
      await seedVariedCalls(suite.hone, watched);
      const page = await suite.open(`/console/p/${watched}/calls`);
      await page.getByRole('list', { name: 'Status' }).getByText('4', { exact: true }).waitFor();
      await untilCount(rowsOf(page), all);
      await seedTrace(suite.hone, watched, 'new');
      await page.getByRole('button', { name: 'Show newer calls' }).click();
      // A call below the new root failed.
      await page
        .getByRole('list', { name: 'Status' })
        .getByText(/descendant.error/)
        .waitFor();
    });

    it('takes hostile values for what they are', async () => {
      const page = await suite.open(CALLS);
      await facet(page, 'Op', HOSTILE.script).check();
      await untilCount(rowsOf(page), 1);
      await facet(page, 'Model', HOSTILE.script).check();
      await untilCount(rowsOf(page), 1);
      expect(await page.title()).toBe('Hone');
    });

    it('are behind a button where there is no room', async () => {
      const page = await suite.open(CALLS);
      await page.getByRole('region', { name: 'Facets' }).waitFor();
      await page.setViewportSize({ width: 390, height: 800 });
      await page.getByRole('region', { name: 'Facets' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Facets' }).click();
      await facet(page, 'Status', 'error').check();
      await untilCount(rowsOf(page), 2);
      await suite.expectGoodForEveryone(page);
    });
  });

  describe('by its columns', () => {
    it('shows any path, in the order that is chosen, and sorts by it', async () => {
      const page = await suite.open(CALLS);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('button', { name: 'Remove tokens' }).click();
      const path = page.getByRole('combobox', { name: /^Another column/ });
      await path.fill('nothing.x');
      await page.getByText('There is no such column.').waitFor();
      await path.fill('output.score');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByRole('button', { name: 'Move output.score up' }).click();
      await path.fill('output."a.b"');
      await suite.expectGoodForEveryone(page);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.waitForURL(/columns=/);
      expect(await heads(page)).toEqual([
        '',
        ...['Status', 'Call', 'Input', 'Output', 'Model', 'Cost', 'Feedback', 'Latency'],
        ...['output.score', 'Began', 'output."a.b"'],
      ]);
      await page.getByRole('gridcell', { name: '0.5', exact: true }).waitFor();
      await page.getByRole('button', { name: 'output.score' }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.waitForURL(/sort=output.score/);
      await page.locator('[role=row][aria-rowindex="1"]').getByText('0', { exact: true }).waitFor();
      expect(await page.getByRole('columnheader', { name: 'output.score' }).getAttribute('aria-sort')).toBe(
        'ascending',
      );
      await page.reload();
      await page.locator('[role=row][aria-rowindex="1"]').getByText('0', { exact: true }).waitFor();
      await suite.expectGoodForEveryone(page);
    });

    it('opens though a column is none', async () => {
      const page = await suite.open(`${CALLS}?columns=gone,name,op_name.x&sort=gone`);
      await untilCount(rowsOf(page), all);
      expect(await heads(page)).toEqual(['', 'Call']);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByText('gone, which is no column').waitFor();
      await page.getByRole('button', { name: 'Reset' }).click();
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('columnheader', { name: 'Tokens' }).waitFor();
    });
  });

  describe('by saved views', () => {
    const openViews = (page: Page) => page.getByRole('button', { name: 'Views' }).click();

    it('saves, opens, overwrites and deletes one', async () => {
      const page = await suite.open(`${CALLS}?q=status+%3D+error&columns=name,inputs.q&sort=-latency_ms`);
      await openViews(page);
      await page.getByText('No saved views yet').waitFor();
      await page.getByLabel('Save what is shown now as').fill(HOSTILE.script);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: HOSTILE.script }).waitFor();
      await suite.expectGoodForEveryone(page);
      await page.keyboard.press('Escape');
      await page.goto(new URL(CALLS, page.url()).href);
      await untilCount(rowsOf(page), all);
      await openViews(page);
      await page.getByRole('link', { name: HOSTILE.script }).click();
      await untilCount(rowsOf(page), 2);
      expect(await queryOf(page).inputValue()).toBe('status = error');
      expect(await heads(page)).toEqual(['', 'Call', 'inputs.q']);
      await facet(page, 'Status', 'error').uncheck();
      await untilCount(rowsOf(page), all);
      await openViews(page);
      await page.getByRole('button', { name: /^Overwrite/ }).click();
      // Not the field's label, which has these words, too.
      await page.getByText(/^v\d+, .*, shown now$/).waitFor();
      const filter = { base_object_classes: ['SavedView'], latest_only: true };
      const { objs } = await suite.hone.trace.queryObjects({ project_id: PROJECT, filter });
      expect(objs).toMatchObject([{ version_index: 1, val: { view_type: 'traces', label: HOSTILE.script } }]);
      await page.getByRole('button', { name: /^Delete/ }).click();
      await page.getByRole('button', { name: 'Delete all versions' }).click();
      await page.getByText('No saved views yet').waitFor();
    });

    it('opens one of an SDK, and lets a reader open and no more', async () => {
      const definition = { query: { $expr: { $eq: [{ $getField: 'op_name' }, { $literal: 'search' }] } } };
      const classKeys = { _type: 'SavedView', _class_name: 'SavedView', _bases: ['BaseObject', 'BaseModel'] };
      const val = { ...classKeys, view_type: 'traces', label: 'Searches', definition };
      await suite.hone.trace.createObject({ obj: { project_id: PROJECT, object_id: 'by-sdk', val } });
      const page = await suite.open(CALLS, await makeMember(suite.hone, 'views-reader', 'reader'));
      await openViews(page);
      await page.getByRole('link', { name: 'Searches' }).waitFor();
      expect(await page.getByRole('button', { name: /^(Save|Overwrite|Delete)/ }).count()).toBe(0);
      expect(await page.getByLabel('Save what is shown now as').count()).toBe(0);
      await page.getByRole('link', { name: 'Searches' }).click();
      await untilCount(rowsOf(page), 2);
    });
  });
});
