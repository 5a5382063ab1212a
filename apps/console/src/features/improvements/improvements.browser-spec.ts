import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import {
  seedCorrections,
  seedImprovable,
  seedImprovement,
  untilImproved,
} from '../../testing/seeds/improvements.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('improvements')}`;
const EMPTY = `local/${ownName('improvements-empty')}`;
const BARE = `local/${ownName('improvements-bare')}`;
/** Training that lasts until it is cancelled. */
const LONG = { methods: ['sft' as const], configs: { sft: { n_epochs: 100 } } };

describe('improvements', () => {
  let model: string;
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [PROJECT, EMPTY, BARE]) await makeProject(hone, project);
    model = await seedImprovable(hone, PROJECT);
    await seedCorrections(hone, PROJECT);
  });
  const open = (path: string, key?: string) => suite.open(`/console/p/${PROJECT}/${path}`, key);

  it('begin on the page of a model, say what they would try, and lead from the verdict to what it is made of', async () => {
    const page = await open(`training/models/${model}`);
    await page.getByRole('link', { name: 'Improve', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Improve a model' });
    await dialog
      .getByLabel(/^Model/)
      .locator('option:checked', { hasText: 'small' })
      .waitFor({ state: 'attached' });
    expect(await dialog.getByLabel(/^one letter/).isChecked()).toBe(true);
    const methods = dialog.getByRole('list', { name: 'Methods' });
    await methods.getByRole('listitem').filter({ hasText: 'SFT possible' }).waitFor();
    await methods.getByText(/^Only 0 calls are liked or disliked/).waitFor();
    await suite.expectGoodForEveryone(page);
    const query = dialog.getByRole('combobox', { name: 'Query' });
    await query.fill('thread_id = "no such thread"');
    await dialog.getByLabel('Tokens of an answer').focus();
    await dialog.getByText('The calls allow none of the methods.').waitFor();
    await query.fill('thread_id =');
    await dialog.getByLabel('Tokens of an answer').focus();
    await dialog.getByText('The query of the calls has a mistake.').waitFor();
    await query.fill('');
    await dialog.getByLabel('Tokens of an answer').fill('4');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/improvements\/[0-9a-f-]{36}$/);
    await page.getByText('current one stays', { exact: true }).waitFor({ timeout: 90_000 });
    const tried = page.getByRole('region', { name: 'What each method made' }).getByRole('row', { name: /^SFT/ });
    await tried.getByRole('img', { name: /^Wins \d+ %, interval / }).waitFor();
    await tried.getByText('not better', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'What the calls do not allow' }).getByText('KTO').waitFor();
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    expect((await steps.allTextContents()).map((text) => text.replace(/^\S+ /, ''))).toEqual([
      ...['training data: done', 'training: done', 'answers: done', 'gates: done', 'promotion: left out'],
    ]);
    await suite.expectGoodForEveryone(page);
    for (const [link, path] of [
      ['gate', /\/gates\//],
      ['answers', /\/evaluations\/compare\?runs=[^,]+,[^,]+$/],
      ['job', /\/training\/jobs\//],
    ] as const) {
      await tried.getByRole('link', { name: link, exact: true }).click();
      await page.waitForURL(path);
      await page.goBack();
    }
    await page.getByRole('link', { name: 'held-out rows' }).click();
    await page.waitForURL(/\/datasets\/held-out-/);
  });

  it('are cancelled with what they work on', async () => {
    const { id } = await seedImprovement(suite.hone, PROJECT, model, LONG);
    const page = await open(`improvements/${id}`);
    const candidates = page.getByRole('region', { name: 'What each method made' });
    await candidates.getByText('training', { exact: true }).waitFor({ timeout: 60_000 });
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('cancelled', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Improvements', exact: true }).last().click();
    const row = page.getByRole('region', { name: 'Improvements' }).getByRole('row').filter({ hasText: 'cancelled' });
    await row.getByRole('link', { name: 'Improve small' }).waitFor();
  });

  it('are started by owners alone, and seen by readers', async () => {
    const improvement = await seedImprovement(suite.hone, PROJECT, model, { methods: ['rl'] });
    expect((await untilImproved(suite.hone, improvement)).status).toBe('no_data');
    const key = await makeMember(suite.hone, ownName('improvements-writer'), 'writer');
    const page = await open('improvements', key);
    await page.getByRole('row').filter({ hasText: 'nothing to learn from' }).getByRole('link').click();
    await page.getByText(/^There is nothing to learn from: /).waitFor();
    await page.goto(page.url().replace(/\/improvements\/.*/, `/training/models/${model}`));
    await page.getByRole('link', { name: 'Train', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Improve', exact: true }).count()).toBe(0);
    await page.goto(page.url().replace(/\/training\/.*/, `/improvements?new=1&model=${model}`));
    await page.getByRole('region', { name: 'Improvements' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('are not started without something to learn from, and say what is wrong', async () => {
    const empty = await suite.open(`/console/p/${EMPTY}/improvements`);
    await empty.getByText('No improvements yet').waitFor();
    await suite.expectGoodForEveryone(empty);
    await empty.getByRole('button', { name: 'Improve a model' }).click();
    const dialog = empty.getByRole('dialog');
    await dialog.getByText('The project has no scorer that runs on the server').waitFor();
    await suite.expectGoodForEveryone(empty);
    await empty.goto(
      new URL(`/console/p/${EMPTY}/improvements/01a22cf1-0000-7000-8000-000000000000`, empty.url()).href,
    );
    await empty.getByText('It was deleted, or its address is another.').waitFor();
    await suite.expectGoodForEveryone(empty);
    await seedImprovable(suite.hone, BARE);
    const page = await suite.open(`/console/p/${BARE}/improvements?new=1`);
    await page.getByText('The calls allow none of the methods.').waitFor();
    expect(await page.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);
    await page.route('**/evaluation/improve', (route) =>
      route.fulfill({
        status: 422,
        json: { detail: 'To promote by this could do harm: it has no labels.', code: 'improvement.unsafe' },
      }),
    );
    await page.reload();
    await page.getByRole('dialog').getByText('To promote by this could do harm: it has no labels.').waitFor();
    await suite.expectGoodForEveryone(page);
  });
});
