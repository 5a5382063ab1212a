import type { Page } from 'playwright-core';

import { untilCount } from '../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { AGENT_TRACES, seedAgentTraces } from '../../testing/seeds/agent-traces.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('traces')}`;
const CALLS = `/console/p/${PROJECT}/calls`;

describe('a query of whole traces', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    await seedAgentTraces(hone, PROJECT);
  });

  const rowsOf = (page: Page) => page.locator('[role=row][aria-rowindex]');
  const queryOf = (page: Page) => page.getByRole('combobox', { name: 'Query' });
  const facet = (page: Page, name: string, value: string) =>
    page.getByRole('list', { name, exact: true }).getByRole('checkbox', { name: value });

  it('finds in one line the traces of yesterday that used a tool, failed, and speak of a refund', async () => {
    const page = await suite.open(CALLS);
    await untilCount(rowsOf(page), AGENT_TRACES.length);
    const midnight = (daysAgo: number) => {
      const day = new Date();
      day.setDate(day.getDate() - daysAgo);
      return new Date(day.setHours(0, 0, 0, 0)).toISOString();
    };
    const ofYesterday = `started_at >= "${midnight(1)}" and started_at < "${midnight(0)}"`;
    await queryOf(page).fill(
      `${ofYesterday} and status in (error, descendant_error) and trace has (op_name = lookup_order and status = error) ` +
        `and search output "refund"`,
    );
    await page.keyboard.press('Enter');
    await untilCount(rowsOf(page), 1);
    await page.getByText('I could not look up the refund.').waitFor();
    await page.reload();
    await untilCount(rowsOf(page), 1);
    // The same over the list, the facets and the histogram.
    await page.getByText('1 call, 0 failed').waitFor();
    expect(await facet(page, 'User', 'ada').count()).toBe(1);
    await suite.expectGoodForEveryone(page);
  });

  it('finds what people said, completed by keys', async () => {
    const page = await suite.open(CALLS);
    await untilCount(rowsOf(page), AGENT_TRACES.length);
    await queryOf(page).focus();
    await page.keyboard.type('feedback has (emo');
    await page.getByRole('option', { name: 'emoji', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('= ');
    await page.getByRole('option', { name: '"👎"' }).click();
    await page.keyboard.type(')');
    await page.keyboard.press('Enter');
    await untilCount(rowsOf(page), AGENT_TRACES.filter(({ reactions }) => reactions?.includes('👎')).length);
    await page.getByText('The refund is on its way.').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.reload();
    await page.getByText('The refund is on its way.').waitFor();
    await queryOf(page).fill('');
    await page.keyboard.press('Enter');
    await facet(page, 'Thumbs', 'Thumbs down').check();
    await page.getByText('The refund is on its way.').waitFor();
    expect(await queryOf(page).inputValue()).toBe(
      'trace has (feedback has (type = "hone.reaction.1" and emoji = "👎"))',
    );
    await facet(page, 'Thumbs', 'Thumbs down').uncheck();
    await untilCount(rowsOf(page), AGENT_TRACES.length);
    await queryOf(page).fill('feedback has (op_name = x)');
    await page.keyboard.press('Enter');
    await page.getByText('There is no field “op_name”.').waitFor();
  });

  it('is completed by keys, and says where it cannot be read', async () => {
    const page = await suite.open(CALLS);
    await queryOf(page).focus();
    await page.keyboard.type('trace h');
    await page.getByRole('option', { name: 'has (' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('op_name = ');
    await page.getByRole('option', { name: '"search_docs"' }).waitFor();
    await page.keyboard.type('search_docs)');
    await page.keyboard.press('Enter');
    await untilCount(rowsOf(page), 2);
    await queryOf(page).fill('trace has op_name = x');
    await page.keyboard.press('Enter');
    await page.getByText(/After “trace” comes “has” with a condition in parentheses/).waitFor();
  });

  it('is joined with facets by attributes of one’s choice, which the address and views keep', async () => {
    const page = await suite.open(`${CALLS}?q=trace+has+(op_name+%3D+lookup_order)`);
    await untilCount(rowsOf(page), 5);
    const field = page.getByRole('combobox', { name: 'Field of another facet' });
    await field.fill('nothing.x');
    expect(await page.getByRole('button', { name: 'Count this field' }).isDisabled()).toBe(true);
    await field.fill('attributes.user');
    await page.keyboard.press('Enter');
    await facet(page, 'attributes.user', 'linus').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.reload();
    await facet(page, 'attributes.user', 'linus').check();
    await untilCount(rowsOf(page), 2);
    expect(await queryOf(page).inputValue()).toBe('trace has (op_name = "lookup_order") and attributes.user = "linus"');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Save what is shown now as').fill('By user');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'By user' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove the facet attributes.user' }).click();
    await page.getByRole('list', { name: 'attributes.user' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('link', { name: 'By user' }).click();
    await page.getByRole('list', { name: 'attributes.user' }).waitFor();
  });
});
