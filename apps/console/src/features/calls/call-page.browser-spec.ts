import type { Page } from 'playwright-core';

import { untilCount } from '../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { seedRetrieval } from '../../testing/seeds/calls.fixture.js';
import { makeProject } from '../../testing/seeds/projects.fixture.js';

const PROJECT = 'local/call-page-spec';
const CALLS = `/console/p/${PROJECT}/calls`;
const MODEL = '0199aaaa-0000-7000-8000-000000000001';

describe('the page of a call', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    await seedRetrieval(hone, PROJECT);
    const at = new Date().toISOString();
    const inputs = {
      ...{ model: 'hone-tiny', temperature: 0.5 },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is 9 minus 4?' },
      ],
    };
    const chat = (id: string) => ({
      ...{ id, op_name: 'chat', trace_id: id, started_at: at, ended_at: at, inputs, summary: {} },
      ...{ output: { choices: [] }, attributes: { model_id: MODEL, step: 3 } },
    });
    const [entity = '', project = ''] = PROJECT.split('/');
    await hone.trace.completeProjectCalls({ entity, project }, { batch: [chat('chat-1'), chat('chat-2')] } as never);
  });

  const selected = (page: Page) => page.locator('[role=treeitem][aria-selected=true]');
  const leftOf = async (page: Page, name: string) => {
    const bar = page.getByRole('treeitem').filter({ hasText: name }).locator('i');
    return bar.evaluate((element) => parseFloat((element as HTMLElement).style.left));
  };

  it('leads to the siblings of the call, and knows the first and the last', async () => {
    const page = await suite.open(`${CALLS}/answer_question?call=search`);
    const before = page.getByRole('button', { name: 'Previous sibling' });
    const after = page.getByRole('button', { name: 'Next sibling' });
    await after.click();
    await selected(page).getByText('generate').waitFor();
    expect([await before.isDisabled(), await after.isDisabled()]).toEqual([false, true]);
    await before.click();
    await selected(page).getByText('search').waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('zooms into the time of the trace, by buttons and by keys, and keeps that over a reload', async () => {
    const page = await suite.open(`${CALLS}/answer_question?call=generate`);
    await selected(page).waitFor();
    const whole = await leftOf(page, 'generate');
    await page.getByRole('button', { name: 'Fit the selected call' }).click();
    await page.waitForURL(/zoom=/);
    expect(whole).toBeGreaterThan(30);
    expect(await leftOf(page, 'generate')).toBeLessThan(10);
    await page.reload();
    await selected(page).waitFor();
    expect(await leftOf(page, 'generate')).toBeLessThan(10);
    await suite.expectGoodForEveryone(page);
    await page.getByRole('tree').press('0');
    await page.getByRole('button', { name: 'Fit the whole trace' }).and(page.locator(':disabled')).waitFor();
    expect(await leftOf(page, 'generate')).toBe(whole);
    await page.getByRole('tree').press('+');
    await page.getByText('25.0 % to 75.0 %').waitFor();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.getByText('25.0 % to 75.0 %').waitFor({ state: 'detached' });
  });

  it('leads to the other calls of its op, the weights that answered, and the playground', async () => {
    const page = await suite.open(`${CALLS}/chat-1`);
    const model = page.getByRole('link', { name: 'step 3 of a trained model' });
    expect(await model.getAttribute('href')).toBe(`/console/p/${PROJECT}/training/models/${MODEL}`);
    await page.getByText('Training data with this call').click();
    await page.getByText('No model has learned from it.').waitFor();
    await page.getByText('Other calls of chat').click();
    await untilCount(page.locator('details li'), 2);
    await suite.expectGoodForEveryone(page);
    await page.locator('details li a:not([aria-current])').click();
    await page.waitForURL(/\/chat-2$/);
    await page.getByText('Other calls of chat').click();
    await page.getByRole('link', { name: 'All of them' }).click();
    await page.waitForURL(/op=chat/);
    await untilCount(page.locator('[role=row][aria-rowindex]'), 2);
    await page.goBack();
    await page.getByRole('link', { name: 'Open in the playground' }).click();
    await page.getByLabel('Message').and(page.getByText('What is 9 minus 4?')).waitFor();
    expect(await page.getByLabel('System prompt').inputValue()).toBe('Be brief.');
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('model'), searchParams.get('temperature')]).toEqual(['hone-tiny', '0.5']);
  });
});
