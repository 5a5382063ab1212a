import type { Page } from 'playwright-core';

import { untilCount } from '../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { ROWS, seedPayloads } from '../../testing/seeds/payloads.fixture.js';
import { makeProject } from '../../testing/seeds/projects.fixture.js';

const PROJECT = 'local/payload-spec';
const CALLS = `/console/p/${PROJECT}/calls`;

describe('values of calls', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    await seedPayloads(hone, PROJECT);
  });

  const output = (page: Page) => page.getByRole('group', { name: 'Output' });
  const inputs = (page: Page) => page.getByRole('group', { name: 'Inputs' });
  const openAll = async (page: Page) => {
    await output(page)
      .getByRole('button', { name: `Close ${ROWS} entries` })
      .waitFor();
  };
  const mayCopy = (page: Page) => page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = (page: Page) => page.evaluate('navigator.clipboard.readText()');

  it('of megabytes are paged, searched and copied by a worker, which ends when one leaves', async () => {
    const page = await suite.open(`${CALLS}/large`);
    await mayCopy(page);
    await openAll(page);
    expect(page.workers()).toHaveLength(1);
    await output(page).getByText('row 49', { exact: true }).waitFor();
    await output(page)
      .getByRole('button', { name: `50 more of ${ROWS - 50}` })
      .click();
    await output(page).getByText('row 99', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Find in output' }).click();
    const search = page.getByLabel('Text to find in output');
    await search.fill(`ROW ${ROWS - 1}`);
    await page.getByText('1 of 1', { exact: true }).waitFor();
    const hit = output(page).locator('li[data-hit=true]');
    await hit.getByText(`row ${ROWS - 1}`).waitFor();
    expect(await output(page).getByText('row 0', { exact: true }).count()).toBe(0);
    await output(page)
      .getByRole('button', { name: /^50 before/ })
      .click();
    await output(page)
      .getByText(`row ${ROWS - 51}`, { exact: true })
      .waitFor();
    await search.fill('deep');
    await page.getByText('1 of the first 1000').waitFor();
    await search.press('Enter');
    await page.getByText('2 of the first 1000').waitFor();
    await hit.getByRole('button', { name: 'deep' }).click();
    await hit.getByRole('button', { name: 'Copy path' }).click();
    await untilCopied(page);
    expect(await copied(page)).toBe('output.1.a\\.b.1.deep');
    await search.press('Escape');
    await page.getByRole('button', { name: 'Copy output', exact: true }).click();
    await page.locator('[title="Copy output"] svg.lucide-check').waitFor();
    expect(((await copied(page)) as string).length).toBeGreaterThan(5_000_000);
    const gone = new Promise((resolve) => page.workers()[0]?.once('close', resolve));
    await page.getByRole('link', { name: 'Calls', exact: true }).first().click();
    await gone;
    expect(page.workers()).toHaveLength(0);
  });

  it('are text, whatever is in them, and open again by steps', async () => {
    const page = await suite.open(`${CALLS}/large`);
    await mayCopy(page);
    await openAll(page);
    await inputs(page).getByRole('button', { name: 'hostile', exact: true }).waitFor();
    await inputs(page).getByRole('button', { name: '__proto__' }).waitFor();
    await inputs(page).getByText('12345678901234567890').waitFor();
    await inputs(page).getByText(HOSTILE.rightToLeft).waitFor();
    expect(await page.title()).toBe('Hone');
    await inputs(page)
      .getByRole('button', { name: /^20,000 more of/ })
      .click();
    await inputs(page).getByRole('button', { name: 'Less' }).waitFor();
    await inputs(page).getByRole('button', { name: 'text', exact: true }).click();
    await inputs(page).getByRole('button', { name: 'Copy value' }).click();
    await untilCopied(page);
    expect(await copied(page)).toMatch(/^many words many .* end$/);
    await inputs(page).getByRole('button', { name: 'Show image (image/png, 72 bytes)' }).click();
    await untilPainted(page);
    await suite.expectGoodForEveryone(page);
  });

  it('are searched without a worker where they are small', async () => {
    const page = await suite.open(`${CALLS}/small`);
    await page.getByRole('button', { name: 'Find in inputs' }).click();
    await page.getByLabel('Text to find in inputs').fill('item 24');
    await page.getByText('1 of 11').waitFor();
    await page.getByRole('button', { name: 'Previous hit' }).click();
    await page.getByText('11 of 11').waitFor();
    await inputs(page).locator('li[data-hit=true]').getByText('item 249').waitFor();
    await page.getByLabel('Text to find in inputs').fill('nowhere');
    await page.getByText('Nothing found').waitFor();
    expect(page.workers()).toHaveLength(0);
    const quote = await inputs(page)
      .locator('[class*="quoted"]')
      .first()
      .evaluate((element) => getComputedStyle(element, '::before').content);
    expect(quote).toContain('"');
    await suite.expectGoodForEveryone(page);
  });

  it('are shown as a conversation, whose images load only when one asks for them', async () => {
    const page = await suite.open(`${CALLS}/seen`);
    const chat = page.getByRole('list', { name: 'Conversation' });
    await chat.getByText('A single pixel.').waitFor();
    expect(await chat.getByRole('img').count()).toBe(0);
    await chat.getByRole('button', { name: 'Show image (image/png' }).click();
    await untilPainted(page);
    await chat.getByRole('button', { name: 'Show image of this server' }).click();
    await untilCount(chat.getByRole('img'), 2);
    await chat.getByRole('button', { name: 'Show image of images.example.com' }).click();
    const link = chat.getByRole('link', { name: 'Open it in a new tab' });
    expect(await link.getAttribute('rel')).toContain('noopener');
    expect(await chat.getByRole('img').count()).toBe(2);
    expect(await chat.getByRole('link').count()).toBe(1);
    await suite.expectGoodForEveryone(page);
  });

  it('say what went wrong when they do not come, and try again', async () => {
    const page = await suite.open('/console/p/local/default');
    for (const fail of [
      {
        sentence: 'No such project.',
        answer: { status: 404, json: { detail: 'No such project.', code: 'project.not_found' } },
      },
      {
        sentence: 'The answer is not JSON',
        answer: { status: 200, body: `{"call":{"output":"${'x'.repeat(300_000)}` },
      },
    ]) {
      await page.route('**/call/read', (route) => route.fulfill(fail.answer));
      await page.goto(new URL(`${CALLS}/large`, page.url()).href);
      await page.getByRole('alert').getByText(fail.sentence).waitFor();
      await page.unroute('**/call/read');
      await page.getByRole('button', { name: 'Retry' }).click();
      await openAll(page);
    }
    await page.route('**/call/read', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('ConnectionError').waitFor();
    await page.unroute('**/call/read');
    await page.getByRole('button', { name: 'Retry' }).click();
    await openAll(page);
  });
});

/** The browser has copied what was chosen last. */
const untilCopied = (page: Page) => page.locator('li svg.lucide-check').waitFor();

/** The first image has been decoded: what cannot be is replaced by a sentence. */
async function untilPainted(page: Page): Promise<void> {
  const image = page.getByRole('img', { name: 'Part of the value' }).first();
  await image.waitFor();
  await image.evaluate((element) => (element as HTMLImageElement).decode());
}
