import { readFile } from 'node:fs/promises';

import { parseJson } from '@hone/client';
import type { Page } from 'playwright-core';

import { untilCount } from '../../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../../testing/console-suite.fixture.js';
import { seedQueue } from '../../../testing/seeds/annotation.fixture.js';
import { seedTrace } from '../../../testing/seeds/calls.fixture.js';
import { makeMember } from '../../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('bulk')}`;
const CALLS = `/console/p/${PROJECT}/calls`;

describe('actions on many calls', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    await seedQueue(hone, PROJECT, 'queue', 1);
    for (const name of ['a', 'b', 'c']) await seedTrace(hone, PROJECT, name);
  });

  /** The two newest calls, the first by keys, the second with the pointer. */
  const selectBy = async (page: Page) => {
    await page.getByRole('grid').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.locator('[role=row][aria-rowindex="1"][aria-selected=true]').waitFor();
    await page.keyboard.press('x');
    await page.locator('[role=row][aria-rowindex="2"]').getByRole('checkbox').check();
    await page.getByText('2 selected').waitFor();
  };
  const selectTwo = async (path: string): Promise<Page> => {
    const page = await suite.open(path);
    await selectBy(page);
    return page;
  };
  const addToQueue = async (page: Page, said: string) => {
    await page.getByRole('button', { name: 'Add to a queue' }).click();
    await page.getByRole('button', { name: 'Add 2' }).click();
    await page.getByText(said).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
  };

  it('put them into a queue, and say which were there', async () => {
    const page = await selectTwo(CALLS);
    await suite.expectGoodForEveryone(page);
    await addToQueue(page, '2 added.');
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await selectBy(page);
    await addToQueue(page, '0 added, 2 were there already.');
  });

  it('make them rows of a dataset', async () => {
    const page = await selectTwo(CALLS);
    await page.getByRole('button', { name: 'Add to a dataset' }).click();
    await page.getByRole('combobox', { name: /^Dataset/ }).fill('From calls');
    await page.getByRole('button', { name: 'Add 2 rows' }).click();
    await page.waitForURL(/\/datasets\/from_calls$/);
    const [entity = '', project = ''] = PROJECT.split('/');
    const params = { entity, project, object_id: 'from_calls', digest: 'latest' };
    const { rows } = await suite.hone.trace.getDataset(params);
    const digest = rows?.split('/').at(-1) ?? '';
    const stored = await suite.hone.trace.queryTable({ project_id: PROJECT, digest });
    expect(stored.rows.map(({ val }) => val['call'])).toEqual([
      ...[`hone:///${PROJECT}/call/c-root`, `hone:///${PROJECT}/call/b-root`],
    ]);
  });

  it('export them with the digits that were sent', async () => {
    const page = await selectTwo(CALLS);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export JSONL' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => (parseJson(line) as { id: string }).id).sort()).toEqual(['b-root', 'c-root']);
    expect(lines[0]).toContain('12345678901234567890');
  });

  it('delete them, once one has said that it is meant', async () => {
    const page = await selectTwo(CALLS);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('This cannot be undone').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete 2 calls' }).click();
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await untilCount(page.locator('[role=row][aria-rowindex]'), 2);
    expect((await suite.hone.trace.readCall({ project_id: PROJECT, id: 'c-root' })).call).toBeNull();
  });

  it('are only those that a reader may do', async () => {
    const key = await makeMember(suite.hone, 'bulk-reader', 'reader');
    const page = await suite.open(CALLS, key);
    await page
      .getByRole('checkbox', { name: /^Select/ })
      .first()
      .check();
    const bar = page.getByRole('toolbar', { name: 'Selected calls' });
    await bar.getByRole('button', { name: 'Export JSONL' }).waitFor();
    expect(await bar.getByRole('button').allInnerTexts()).not.toContain('Delete');
    expect(await bar.getByRole('button', { name: 'Add to a queue' }).count()).toBe(0);
  });
});
