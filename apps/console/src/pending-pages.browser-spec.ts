import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { accessibilityFaults } from './testing/console-browser.fixture.js';
import { ConsoleSuite } from './testing/console-suite.fixture.js';

/** The addresses of all pages below a project, as the console itself routes them, so that new pages are among them. */
const ROUTES = [
  ...readFileSync(join(import.meta.dirname, 'app/pages.tsx'), 'utf8').matchAll(
    /\bpath=\{(?:PROJECT|`\$\{PROJECT\}(.*?)`)\}/g,
  ),
].map(([, below = '']) => below);
const QUERIES: Readonly<Record<string, string>> = {
  '/training/compare': '?jobs=a,b',
  '/evaluations/compare': '?runs=a,b',
  '/playground': '?call=a',
};
/** An id of the right form that nothing has. */
const NEVER = '01900000-0000-7000-8000-000000000000';
const STOPPED = { status: 503, json: { detail: 'The service is not available.', code: 'service.unavailable' } };

describe('a page whose content is not there', () => {
  const suite = ConsoleSuite.of(async () => undefined);
  const addressOf = (route: string) =>
    `/console/p/local/default${route.replace(/:\w+/g, 'some-id').replace('/*?', '/no-such-page')}${QUERIES[route] ?? ''}`;
  const isOfSession = (path: string) => path === '/account/sessions/status';
  /** Opens it while no answer comes but those that show who is signed in. @returns ends the wait: all is refused */
  const openWaiting = async (route: string): Promise<{ readonly page: Page; readonly refuse: () => void }> => {
    const page = await suite.open('/console/p/local/default/no-such-page');
    let refuse = (): void => undefined;
    const held = new Promise<void>((resolve) => (refuse = resolve));
    await page.route(
      ({ pathname }) => !pathname.startsWith('/console/') && !isOfSession(pathname),
      async (asked) => {
        await held;
        await asked.fulfill(STOPPED);
      },
    );
    await page.goto(new URL(addressOf(route), page.url()).href);
    await page.locator('main').getByRole('heading', { level: 1 }).waitFor();
    return { page, refuse };
  };

  it('is every page that the console has', () => expect(ROUTES.length).toBeGreaterThan(20));

  it.each(ROUTES)('has its heading and no fault while it loads, and when it cannot: %s', async (route) => {
    const { page, refuse } = await openWaiting(route);
    // Its colours and widths are those of every page.
    expect(await accessibilityFaults(page)).toEqual([]);
    const headings = await page.getByRole('heading', { level: 1 }).allInnerTexts();
    expect(headings).toHaveLength(1);
    refuse();
    await page
      .getByText(STOPPED.json.detail)
      .or(page.getByText('There is no such page'))
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(headings);
  });

  it.each(['annotation', 'gates', 'improvements', 'pipelines', 'training/jobs', 'training/models'])(
    'says that it was deleted, or never was, and leads back: %s',
    async (pages) => {
      const page = await suite.open(`/console/p/local/default/${pages}/${NEVER}`);
      await page.getByRole('heading', { name: 'It is not here' }).waitFor();
      await page.getByText(/It was deleted, or its address is another\.$/).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.locator('main').getByRole('link').first().click();
      await page.waitForURL(new RegExp(`/default/${pages.replace(/\/.*/, '')}$`));
    },
  );

  it('has its heading before its code is there, and when that does not come', async () => {
    const page = await suite.open('/console/p/local/default/no-such-page');
    let fail = (): void => undefined;
    const held = new Promise<void>((resolve) => (fail = resolve));
    await page.route(/\/training-page-[^/]*\.js$/, async (asked) => {
      await held;
      await asked.abort();
    });
    await page.getByRole('link', { name: 'Training', exact: true }).click();
    await page.getByRole('status').getByText('Loading the page').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Training']);
    await suite.expectGoodForEveryone(page);
    fail();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Training']);
  });
});
