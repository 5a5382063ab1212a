import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';

import { accessibilityFaults } from '../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { seedMonth } from '../../testing/seeds/month.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('settings')}`;

describe('settings and usage in the console', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
  });

  const open = async (path: string, key?: string): Promise<Page> => {
    const page = await suite.open(`/console/p/${PROJECT}/${path}`, key);
    // Questions of the page are answered with yes.
    page.on('dialog', (dialog) => void dialog.accept());
    return page;
  };

  it('make a key that works, show it once, and revoke it', async () => {
    const page = await open('settings');
    await page.getByLabel('What the key is for').fill('from the console');
    await page.getByLabel('training', { exact: true }).uncheck();
    await page.getByLabel('Works for').selectOption('7 days');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('status').locator('code').innerText();
    const row = page.getByRole('row', { name: /from the console/ });
    await row.getByText('trace, inference').waitFor();
    const { data } = await suite.hone.accounts.listApiKeys();
    const ends = Date.parse(data.find(({ label }) => label === 'from the console')?.expires_at ?? '');
    expect(Math.round((ends - Date.now()) / 86_400_000)).toBe(7);
    await row.getByText(/^\d{4}-\d{2}-\d{2}$/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const ask = () => fetch(new URL('/account/me', page.url()), { headers: { authorization: `Bearer ${key}` } });
    const models = () => fetch(new URL('/v1/models', page.url()), { headers: { authorization: `Bearer ${key}` } });
    expect([(await ask()).status, (await models()).status]).toEqual([403, 200]);
    await row.getByRole('button', { name: 'Revoke from the console' }).click();
    await row.getByText('revoked').waitFor();
    expect((await models()).status).toBe(401);
    await page.reload();
    await page.getByRole('row', { name: /from the console/ }).waitFor();
    expect(await page.getByText(key).count()).toBe(0);
  });

  it('add a member, change the role, and remove them', async () => {
    await suite.hone.accounts.createUser({ username: 'console-member' });
    const page = await open('settings?section=members');
    await page.getByLabel('User').fill('console-member');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByLabel('Role of console-member').selectOption('writer');
    await page.locator('[aria-label="Role of console-member"]').filter({ hasText: 'writer' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove console-member' }).click();
    await page.getByLabel('Role of console-member').waitFor({ state: 'detached' });
    const { data } = await suite.hone.accounts.listMembers({ entity: 'local' });
    expect(data.map(({ username }) => username)).not.toContain('console-member');
  });

  it('make a user who signs in with the key that is shown', async () => {
    const name = ownName('new-person');
    const page = await open('settings?section=members');
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Role of the user').selectOption('writer');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the user' }).click();
    const key = await page.getByRole('status').locator('code').innerText();
    await page.getByLabel(`Role of ${name}`).waitFor();
    expect((await suite.as(key).accounts.getMe()).user.username).toBe(name);
    // A name that is taken is said in place.
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create the user' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
  });

  it('say how many calls a retention would delete before it is saved', async () => {
    const old = `local/${ownName('retention')}`;
    await makeProject(suite.hone, old);
    await seedMonth(suite.hone, old, 3);
    const page = await suite.open(`/console/p/${old}/settings?section=kept`);
    await page.getByLabel('Days that calls are kept').fill('1');
    await page.getByText(/calls? (?:is|are) older than that, and would be deleted\./).waitFor();
    await page.getByLabel('Days that calls are kept').fill('30000');
    await page.getByText('No call is older than that.').waitFor();
    expect((await suite.hone.trace.readRetention({ project_id: old })).retention_days).toBeNull();
  });

  it('say what is kept of calls', async () => {
    const page = await open('settings?section=kept');
    const answered = (path: string, isWanted = (body: string) => body !== '') =>
      page.waitForResponse((answer) => answer.url().endsWith(path) && isWanted(answer.request().postData() ?? ''));
    const logging = answered('call_logging/update');
    await page.getByLabel('Stored of each chat').selectOption('metadata');
    await logging;
    await page.getByLabel('Days that calls are kept').fill('30');
    // The first asks what would be deleted.
    const saved = answered('ttl_settings/update', (body) => !body.includes('dry_run'));
    await page.getByRole('button', { name: 'Save' }).click();
    await saved;
    const of = { project_id: PROJECT };
    expect((await suite.hone.trace.readCallLogging(of)).log_calls).toBe('metadata');
    expect((await suite.hone.trace.readRetention(of)).retention_days).toBe(30);
  });

  it('say whether calls are found by their words, and turn that off and on', async () => {
    const own = await makeProject(suite.hone, `local/${ownName('search')}`);
    await seedMonth(suite.hone, own, 1);
    const path = `/console/p/${own}/settings?section=search`;
    const page = await suite.open(path);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByText('On: all calls are found').waitFor();
    await page.getByText('0.8 ms of one processor core').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'Turn text search off' }).click();
    await page.getByText('Off: queries with search are refused').waitFor();
    const isOn = async () => (await suite.hone.trace.readCallSearch({ project_id: own })).search;
    expect(await isOn()).toBe(false);
    const reader = await suite.open(path, await makeMember(suite.hone, 'search-reader', 'writer'));
    await reader.getByText('Off: queries with search are refused').waitFor();
    expect(await reader.getByRole('button', { name: /^Turn text search/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Turn text search on' }).click();
    // The calls of before are added, soon all of them.
    await page.getByText('On: all calls are found').waitFor();
    expect(await isOn()).toBe(true);
  });

  it('show who changed what', async () => {
    const page = await open('settings?section=audit');
    await page
      .getByRole('cell', { name: 'session.open' })
      .or(page.getByRole('cell', { name: /^[a-z_]+\.[a-z_]+$/ }))
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('What', { exact: true }).fill('project');
    await page.getByRole('cell', { name: 'session.open' }).first().waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'project.create' }).first().waitFor();
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    await page.setViewportSize({ width: 390, height });
    // What was done is seen without scrolling sideways.
    const entries = page.getByRole('region', { name: 'Entries' });
    expect(await entries.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.setViewportSize({ width, height });
    await page.getByLabel('Who').fill('nobody-at-all');
    await page.getByText('No entry matches.').waitFor();
    await page.reload();
    await page.getByText('No entry matches.').waitFor();
    expect(await page.getByLabel('Who').inputValue()).toBe('nobody-at-all');
    await suite.expectGoodForEveryone(page);
  });

  it('count what was used, and limit it', async () => {
    const page = await open('usage?by=model');
    await page.getByText('Nothing was asked through the gateway in this time').waitFor();
    await suite.expectGoodForEveryone(page);
    expect(await page.getByText(`Hone-Project: ${PROJECT}`).count()).toBe(1);
    await page.getByRole('link', { name: 'Open the playground' }).click();
    await page.waitForURL(/\/playground$/);
    await page.goBack();
    await page
      .getByText('This page counts requests through the gateway.')
      .getByRole('link', { name: 'Home' })
      .waitFor();
    const body = { model: 'hone-tiny', messages: [{ role: 'user' as const, content: 'hi' }], max_tokens: 2 };
    await suite.hone.inference.createChatCompletion(body, { headers: { 'hone-project': PROJECT } });
    await page.reload();
    await page.getByRole('rowheader', { name: 'hone-tiny' }).waitFor();
    await page.getByLabel('Monthly budget, USD').fill('5');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByRole('progressbar', { name: 'Budget' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const limits = await suite.hone.inference.getUsageLimits({ project: PROJECT });
    expect(limits.monthly_budget_usd).toBe(5);
    await page.getByRole('button', { name: 'Add a budget of models' }).click();
    await page.getByLabel('Models, 1').fill('gpt-*');
    await page.getByLabel('Daily budget, 1').fill('0.5');
    await page.getByRole('button', { name: 'Save limits' }).click();
    // What was spent is known once the page has the new limits.
    await page.getByRole('region', { name: 'Budgets of models' }).getByText('$0').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const changed = await suite.hone.inference.getUsageLimits({ project: PROJECT });
    expect(changed).toMatchObject({
      monthly_budget_usd: 5,
      model_budgets: [{ model: 'gpt-*', daily_budget_usd: 0.5, monthly_budget_usd: null }],
    });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('usage-model.csv');
  });

  it('count what was used by two groups, which the address keeps and the file has', async () => {
    const body = { model: 'hone-tiny', messages: [{ role: 'user' as const, content: 'hi' }], max_tokens: 2 };
    await suite.hone.inference.createChatCompletion(body, { headers: { 'hone-project': PROJECT } });
    const page = await open('usage');
    await page.getByLabel('And grouped').selectOption('and model');
    const today = new Date().toISOString().slice(0, 10);
    const row = page.getByRole('row', { name: new RegExp(`^${today} hone-tiny `) });
    await row.waitFor();
    expect(new URL(page.url()).search).toBe('?and=model');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await row.waitFor();
    await page.getByText('This page counts requests through the gateway.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('usage-day-model.csv');
    const [head, first] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(head).toMatch(/^day,model,requests,/);
    expect(first).toMatch(new RegExp(`^${today},hone-tiny,`));
    // A group is no second one beside itself.
    await page.getByLabel('Grouped', { exact: true }).selectOption('by model');
    await page.getByRole('rowheader', { name: 'hone-tiny' }).waitFor();
    expect(await page.getByLabel('And grouped').inputValue()).toBe('');
  });

  it('offer a reader nothing that would only be refused', async () => {
    const every = ['trace', 'training', 'inference', 'account'] as const;
    const key = await makeMember(suite.hone, 'console-reader', 'reader', [...every]);
    const page = await open('settings?section=members', key);
    await page.getByRole('cell', { name: 'console-reader', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Remove|Add member/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Training', exact: true }).click();
    await page.getByText('Nothing is trained here yet').waitFor();
    expect(await page.getByRole('button', { name: 'Create model' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByLabel('Requests per minute').waitFor();
    expect(await page.getByRole('button', { name: 'Save limits' }).count()).toBe(0);
  });
});
