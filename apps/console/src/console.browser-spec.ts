import type { Page } from 'playwright-core';

import {
  accessibilityFaults,
  ConsoleBrowser,
  type ConsolePage,
  untilCount,
} from './testing/console-browser.fixture.js';
import { seedTrace } from './testing/seeds/calls.fixture.js';
import { HOSTILE } from './testing/seeds/hostile.fixture.js';
import { makeProject } from './testing/seeds/projects.fixture.js';
import { startTraining } from './testing/seeds/training.fixture.js';

const CALLS = '/console/p/local/calls-spec/calls';

describe('the console in a browser', () => {
  let browser: ConsoleBrowser;
  let opened: ConsolePage | undefined;
  beforeAll(async () => {
    browser = await ConsoleBrowser.start();
    await makeProject(browser.hone, 'local/calls-spec');
    await makeProject(browser.hone, 'local/empty-spec');
    await seedTrace(browser.hone, 'local/calls-spec', 'seeded');
  });
  afterEach(async () => {
    const { faults = [], page } = opened ?? {};
    await page?.context().close();
    opened = undefined;
    expect(faults).toEqual([]);
  });
  afterAll(() => browser.close());

  const visit = async (path?: string): Promise<Page> => (opened = await browser.visit(path)).page;
  const open = async (path: string): Promise<Page> => (opened = await browser.open(path)).page;
  const signIn = async (page: Page, key: string) => {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  describe('signing in', () => {
    it('takes a key, keeps it nowhere, and survives a reload', async () => {
      const page = await visit();
      await signIn(page, ConsoleBrowser.key);
      await page.waitForURL(/\/console\/p\/local\/default$/);
      const kept = await page.evaluate('JSON.stringify([document.cookie, localStorage, sessionStorage])');
      expect(kept).not.toContain(ConsoleBrowser.key);
      await page.reload();
      await page.getByRole('navigation').waitFor();
    });

    it('says that a key is not valid', async () => {
      const page = await visit();
      await signIn(page, 'hone-nobody');
      await page.getByRole('alert').getByText('not valid').waitFor();
    });

    it('takes a link once', async () => {
      const { path } = await browser.hone.accounts.createSignInCode();
      const page = await visit(path);
      await page.getByRole('navigation').waitFor();
      expect(page.url()).not.toContain('#');
      await page.context().close();
      const again = await visit(path);
      await again.getByText('This sign-in link was used').waitFor();
    });

    it('ends with signing out, in every tab', async () => {
      const page = await open('/console/p/local/default');
      const tab = await page.context().newPage();
      await tab.goto(page.url());
      await tab.getByRole('navigation').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('API key').waitFor();
      await tab.reload();
      await tab.getByLabel('API key').waitFor();
    });
  });

  it('asks a model, shows the call, and takes a thumb for it', async () => {
    const page = await open('/console/p/local/default/playground');
    await page.getByLabel('Message').fill('What is the opposite of hot?');
    await page.getByText('Parameters', { exact: true }).click();
    await page.getByLabel('Temperature').fill('0');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: 'Open this call' }).click();
    const answer = page.getByRole('list', { name: 'Conversation' }).getByText('cold', { exact: true });
    await answer.waitFor();
    await page.getByRole('button', { name: 'Good answer' }).click();
    await page.getByRole('img', { name: 'Good answer' }).waitFor();
    await page.getByLabel('Note').fill('well said');
    await page.keyboard.press('Enter');
    await page.getByText('well said').waitFor();
    const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) as string);
    const query = { $expr: { $eq: [{ $getField: 'trace_ref' }, { $literal: `hone:///local/default/call/${id}` }] } };
    const { result } = await browser.hone.trace.queryFeedback({ project_id: 'local/default', query } as never);
    expect(result.map((one) => (one as { feedback_type: string }).feedback_type).sort()).toEqual([
      'hone.note.1',
      'hone.reaction.1',
    ]);
  });

  describe('calls', () => {
    it('are walked by keys, and open again at the same address', async () => {
      const page = await open(`${CALLS}?depth=all`);
      await page.getByRole('grid').focus();
      await page.keyboard.press('j');
      await page.getByRole('complementary').waitFor();
      const first = await page.locator('[role=row][aria-selected=true]').getAttribute('aria-rowindex');
      await page.keyboard.press('j');
      await page.locator('[role=row][aria-rowindex="2"][aria-selected=true]').waitFor();
      await page.reload();
      await page.locator('[role=row][aria-rowindex="2"][aria-selected=true]').waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('k');
      await page.locator('[role=row][aria-rowindex="1"][aria-selected=true]').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      expect(first).toBe('1');
    });

    it('are filtered, and say so when nothing is left', async () => {
      const page = await open(`${CALLS}?depth=all`);
      await page.getByLabel('Part of the name of the op').fill('SECOND');
      await page.waitForURL(/op=SECOND/);
      await page.locator('[role=row][aria-rowindex="1"]').waitFor();
      await untilCount(page.locator('[role=row][aria-rowindex]'), 1);
      await page.getByRole('combobox', { name: 'Status' }).selectOption('success');
      await page.getByText('No call matches').waitFor();
    });

    it('appear while one watches', async () => {
      const page = await open(CALLS);
      await page.getByRole('grid').waitFor();
      await seedTrace(browser.hone, 'local/calls-spec', 'watched');
      await page.getByRole('button', { name: 'Show newer calls' }).click();
      await untilCount(page.locator('[role=row][aria-rowindex]'), 2);
    });

    it('show hostile content as text, and numbers as they were sent', async () => {
      const page = await open('/console/p/local/calls-spec/calls/seeded-root');
      const tree = page.getByRole('tree');
      await tree.waitFor();
      expect(await tree.getByRole('treeitem').count()).toBe(3);
      await page.getByText(HOSTILE.script).first().waitFor();
      await page.getByText('12345678901234567890').waitFor();
      expect(await page.title()).toBe('Hone');
      await page.getByLabel('Find a call by name').fill('sec');
      await untilCount(page.getByRole('treeitem'), 2);
      await page.getByRole('treeitem').nth(1).click();
      await page.getByText('seeded.second', { exact: true }).last().waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
      expect(width).toBe(true);
    });

    it('open by ids that stand in no address as they are', async () => {
      const id = await seedTrace(browser.hone, 'local/calls-spec', '50%25 of it?#');
      const page = await open(`${CALLS}/${encodeURIComponent(id)}`);
      await page.getByRole('tree').waitFor();
      expect(await page.getByRole('treeitem').count()).toBe(3);
    });

    it('say what the server says when it fails, and try again', async () => {
      const page = await open('/console/p/local/default');
      await page.route('**/calls/query', (route) =>
        route.fulfill({ status: 400, json: { detail: 'The query is too odd.', code: 'idempotency.key_invalid' } }),
      );
      await page.getByRole('link', { name: 'Calls', exact: true }).click();
      await page.getByText('The query is too odd.').waitFor();
      await page.getByText('idempotency.key_invalid').waitFor();
      await page.unroute('**/calls/query');
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByText('That did not work').waitFor({ state: 'detached' });
    });
  });

  it('shows a job while it runs, gives its checkpoint a name, and talks to it', async () => {
    const { model, job } = await startTraining(browser.hone, 'trained-spec');
    const page = await open(`/console/p/local/default/training/jobs/${job}`);
    await page.getByText('succeeded').waitFor();
    await page.getByRole('img', { name: /^loss over \d+ steps$/ }).waitFor();
    expect(await page.locator('canvas').count()).toBeGreaterThan(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Training', exact: true }).click();
    await page.getByRole('link', { name: 'succeeded job of trained-spec' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'trained-spec', exact: true }).click();
    await page.getByRole('button', { name: 'Set production' }).click();
    await page
      .getByRole('region', { name: 'Checkpoints', exact: true })
      .getByText('production', { exact: true })
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const { data } = await browser.hone.training.listCheckpointAliases({ model_id: model });
    expect(data).toMatchObject([{ alias: 'production', step: 1 }]);
    await page.getByRole('link', { name: 'Talk', exact: true }).click();
    await page.getByLabel('Message').fill('Who are you?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: 'Open this call' }).waitFor();
  });

  it('shows an empty project how it is filled', async () => {
    const page = await open('/console/p/local/empty-spec');
    await page.getByText('local/empty-spec is empty').waitFor();
    expect(await page.locator('pre').count()).toBe(3);
  });

  it('goes anywhere by Ctrl-K', async () => {
    const page = await open('/console/p/local/default');
    await page.getByRole('navigation').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('calls-spec');
    await page.getByRole('option', { name: 'local/calls-spec Project' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/p\/local\/calls-spec$/);
    await page.keyboard.press('Control+k');
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('c');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('alls');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/calls-spec\/calls$/);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('leads from the links of SDKs to the call', async () => {
    const page = await open('/local/calls-spec/r/call/seeded-first');
    await page.waitForURL(/\/console\/p\/local\/calls-spec\/calls\/seeded-first$/);
    await page.getByRole('tree').waitFor();
  });

  describe.each(['light', 'dark'])('for everyone, in %s colours', (theme) => {
    it.each([
      ['/console/p/local/default', 'main h1'],
      ['/console/p/local/empty-spec', 'main h1'],
      [`${CALLS}?depth=all&call=seeded-root`, 'article'],
      ['/console/p/local/calls-spec/calls/seeded-root', 'article'],
      ['/console/p/local/default/playground', '[aria-label=Message]'],
    ])('%s has no fault that axe finds', async (path, ready) => {
      const page = await open(path);
      await page.emulateMedia({ colorScheme: theme as 'light' | 'dark' });
      await page.locator(ready).first().waitFor();
      await page.locator(`html[data-theme=${theme}]`).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

  it('asks for a key in a way that axe finds no fault with', async () => {
    const page = await visit();
    await page.getByLabel('API key').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
