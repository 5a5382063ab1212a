import type { Page } from 'playwright-core';

import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const NAME = ownName('by-keys');
const PROJECT = `local/${NAME}`;
/** Links and fields that are passed on the way at most. */
const MOST_TABS = 60;

describe('training', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    const messages = [
      { role: 'user', content: 'Who are you?' },
      { role: 'assistant', content: 'Ada.' },
    ];
    const place = { entity: 'local', project: NAME };
    await hone.trace.createDataset(place, { name: 'lessons', rows: Array(8).fill({ messages }) } as never);
  });

  /** Moves the focus by Tab alone until it is on what has this name. */
  const tabTo = async (page: Page, name: string) => {
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      const focused = page.locator(':focus');
      const text = (await focused.count()) === 0 ? '' : await focused.evaluate(nameOf);
      if (text === name) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to “${name}”.`);
  };

  it('is done from the first model to its alias by keys alone', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/training`);
    await page.getByRole('button', { name: 'Create model' }).waitFor();
    await tabTo(page, 'Name');
    await page.keyboard.type('pupil');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'pupil', level: 1 }).waitFor();
    await tabTo(page, 'Train');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New training job' }).waitFor();
    await tabTo(page, 'Learn from');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Data');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'lessons v0' }).waitFor({ state: 'attached' });
    await tabTo(page, 'Dataset');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Dry run');
    await page.keyboard.press('Enter');
    await page.getByText('would train', { exact: true }).waitFor();
    await tabTo(page, 'Train');
    await page.keyboard.press('Enter');
    await page.getByText('succeeded').waitFor();
    await tabTo(page, 'its model');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Set production' }).waitFor();
    await tabTo(page, 'Set production');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Line of checkpoints' }).getByText('production').waitFor();
  });
});

/** What a control is called: by its label, or by its own text. */
function nameOf(element: Element): string {
  const { labels } = element as HTMLInputElement;
  const label = labels?.[0]?.firstChild?.textContent;
  return (label ?? element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
}
