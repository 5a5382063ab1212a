import type { Page } from 'playwright-core';

import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
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
    const spend = chart(page, 'Cost by model');
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
  });
});
