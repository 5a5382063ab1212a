import type { QueueDto } from '@hone/client';

import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';
import { seedOrderedJudge, seedScorers } from '../../testing/seeds/scorers.fixture.js';

const PROJECT = `local/${ownName('scorers')}`;
const EMPTY = `local/${ownName('scorers-empty')}`;
const BASE = `/console/p/${PROJECT}/scorers`;

describe('scorers', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [PROJECT, EMPTY]) await makeProject(hone, project);
    await seedScorers(hone, PROJECT);
  });

  const queuesOf = async (project_id: string) => {
    const queues: QueueDto[] = [];
    for await (const one of suite.hone.trace.queryAnnotationQueues({ project_id })) queues.push(one);
    return queues;
  };

  it('are listed with what judges new calls and what was judged', async () => {
    const page = await suite.open(BASE);
    const scorers = page.getByRole('region', { name: 'Scorers' });
    await scorers.getByRole('row', { name: /^says thanks .*Check: contains v0/ }).waitFor();
    await scorers.getByRole('row', { name: /Judge hone-tiny: helpful, polite/ }).waitFor();
    const monitors = page.getByRole('region', { name: 'Monitors' });
    await monitors.getByRole('row', { name: /25 % of calls that no other call made .* live/ }).waitFor();
    await page
      .getByRole('region', { name: 'Scorings' })
      .getByRole('row', { name: /done 40 of 40 \$0/ })
      .waitFor();
    await suite.expectGoodForEveryone(page);
    await monitors.getByRole('button', { name: 'Pause' }).click();
    await monitors.getByRole('row', { name: /paused/ }).waitFor();
    await monitors.getByRole('button', { name: 'Resume' }).click();
    await monitors.getByRole('row', { name: /live/ }).waitFor();
  });

  it('are made of a ready one, changed, tried beside the version before, and saved', async () => {
    const page = await suite.open(BASE);
    await page.getByRole('button', { name: 'New scorer' }).click();
    const dialog = page.getByRole('dialog', { name: 'New scorer' });
    await dialog.getByLabel('Begin with').selectOption('a check of your own');
    await dialog.getByLabel('Name').fill('On its way');
    await suite.expectGoodForEveryone(page);
    await dialog.getByRole('button', { name: 'Make the scorer' }).click();
    await page.getByRole('heading', { name: 'On its way' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('The answer').selectOption('is exactly a text');
    await page.getByRole('textbox', { name: 'Expected', exact: true }).fill('Order 39 is on its way.');
    await page.getByRole('button', { name: 'Try on 20 calls' }).click();
    const calls = page.getByRole('region', { name: 'Calls to try' });
    await calls.getByRole('columnheader', { name: 'Draft' }).waitFor();
    await calls.getByRole('row', { name: /Order 39 .* passed failed$/ }).waitFor();
    await calls.getByRole('row', { name: /order 38 .* failed passed$/ }).waitFor();
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByLabel('Version').locator('option:checked', { hasText: 'v1' }).waitFor({ state: 'attached' });
    await page
      .getByText('is exactly')
      .or(page.getByText('exact', { exact: true }))
      .first()
      .waitFor();
    await page.reload();
    await page.getByLabel('Version').locator('option:checked', { hasText: 'v1' }).waitFor({ state: 'attached' });
  });

  it('are asked for their verdict beside what people say', async () => {
    const page = await suite.open(
      `${BASE}/helpful_judge?calls=${encodeURIComponent('inputs.messages.0.content contains "order 12?"')}`,
    );
    await page.getByRole('button', { name: 'Try on one call' }).click();
    const row = page.getByRole('region', { name: 'Calls to try' }).getByRole('row', { name: /order 12\?/ });
    await row.getByText(/^polite: true/).waitFor();
    await row.getByText(/^helpful [1-5]$/).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('judge calls of the past once, and say what was judged before', async () => {
    const page = await suite.open(`${BASE}/says_thanks`);
    await page.getByRole('button', { name: 'Judge calls', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('The newest, at most').fill('5');
    await suite.expectGoodForEveryone(page);
    await dialog.getByRole('button', { name: 'Judge them' }).click();
    await page.getByText('5 had a verdict of this version before').waitFor();
  });

  it('are trusted as far as people agree', async () => {
    const page = await suite.open(`${BASE}/says_thanks`);
    const card = page.getByRole('region', { name: 'How far to trust it' });
    await card.getByText('uncorrected').waitFor();
    await card.getByLabel('People say the same with').selectOption('Polite?');
    await card.getByText('corrected by 30 labels').waitFor();
    await card.getByText('Gwet’s AC1').waitFor();
    const matrix = card.getByRole('region', { name: 'Confusion matrix' });
    await matrix.getByRole('row', { name: '1 12 0' }).waitFor();
    await matrix.getByRole('row', { name: '0 3 15' }).waitFor();
    const differ = card.getByRole('region', { name: 'Disagreements' });
    expect(await differ.getByRole('row').count()).toBe(1 + 3);
    // It passes a sixth of what people fail, and all that they pass: enough.
    await card.getByText('fail 80 % of what they fail: it does.').waitFor();
    expect(await card.getByText('advisory').count()).toBe(0);
    const worst = differ.getByRole('row').nth(1);
    expect(await worst.getByRole('link').getAttribute('href')).toContain(`/p/${PROJECT}/calls/reply-`);
    await suite.expectGoodForEveryone(page);
    await page.reload();
    await card.getByText('corrected by 30 labels').waitFor();
  });

  it('are looked at for bias, which is said in words', async () => {
    const page = await suite.open(`${BASE}/says_thanks?labels=hone.annotation.polite`);
    const bias = page.getByRole('region', { name: 'How it may be biased' });
    await bias.getByRole('button', { name: 'Look for bias' }).click();
    const dialog = page.getByRole('dialog', { name: 'Look for bias' });
    await dialog.getByLabel(/^bullets/).check();
    await dialog.getByLabel(/^repeat/).check();
    await dialog.getByLabel('Calls that are drawn for them').fill('10');
    await suite.expectGoodForEveryone(page);
    await dialog.getByRole('button', { name: 'Start' }).click();
    await bias.getByText('done', { exact: true }).waitFor();
    await bias
      .getByRole('listitem')
      .filter({ hasText: 'When each of the answer’s sentences is a bullet, its verdict does not change on the whole.' })
      .getByText('0 (0 … 0), of 10 calls')
      .waitFor();
    // What says thanks is longer, and it passes more of that than people do.
    const length = bias.getByRole('listitem').filter({ hasText: 'It likes long answers more than people do.' });
    await length.getByText('bias', { exact: true }).waitFor();
    await length.getByText(/of 30 calls$/).waitFor();
    await suite.expectGoodForEveryone(page);
    await page.reload();
    await bias.getByText('by 30 labels').waitFor();
  });

  it('say how often the order of two answers decided', async () => {
    const judge = await seedOrderedJudge(suite.hone, PROJECT);
    const page = await suite.open(`${BASE}/${judge}`);
    const bias = page.getByRole('region', { name: 'How it may be biased' });
    await bias.getByRole('button', { name: 'Look for bias' }).click();
    await page.getByRole('dialog', { name: 'Look for bias' }).getByRole('button', { name: 'Start' }).click();
    const order = bias.getByRole('listitem').filter({ hasText: 'Order: with the two answers swapped, it changed' });
    await order.getByText(/of 6 calls; a call where it did is a tie\. .* % … .* %$/).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('say how many labels a width needs, and have people asked for them', async () => {
    const page = await suite.open(`${BASE}/says_thanks?labels=hone.annotation.polite`);
    await page.getByRole('button', { name: 'Have people label calls' }).click();
    const dialog = page.getByRole('dialog', { name: 'Have people label what says thanks judged' });
    await dialog.getByText(/^Not even labels of all 40 judged calls reach ±0\.05/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Make a label queue' }).isEnabled()).toBe(false);
    await dialog.getByLabel('Know the mean of passed within ±').fill('0.2');
    await dialog.getByText(/^±0\.2 needs .* labels; with the judge \d+\.$/).waitFor();
    await suite.expectGoodForEveryone(page);
    // Its labels are not those that are there, of which no queue drew the calls.
    await dialog.getByLabel('People are asked').selectOption('“says thanks: passed”, which is new');
    await dialog.getByText('No label is there').waitFor();
    await dialog.getByRole('button', { name: 'Make a label queue' }).click();
    const made = page.getByRole('dialog', { name: 'The queue is there' });
    await made.getByText(/^\d+ calls wait for people/).waitFor();
    await suite.expectGoodForEveryone(page);
    await made.getByRole('link', { name: 'Annotate' }).click();
    await page.getByText('says thanks: passed').first().waitFor();
    const [queue] = await queuesOf(PROJECT);
    expect(queue?.name).toBe('Labels of says_thanks: passed');
  });

  it('judge new calls for owners alone', async () => {
    const page = await suite.open(`${BASE}/says_thanks`);
    await page.getByRole('button', { name: 'Judge new calls' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('thanks everywhere');
    await dialog.getByLabel('Leave out calls within other calls').uncheck();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('row', { name: /thanks everywhere 100 % of all calls/ }).waitFor();
    page.once('dialog', (asked) => void asked.accept());
    const row = page.getByRole('row', { name: /thanks everywhere/ });
    await row.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    const key = await makeMember(suite.hone, ownName('scorers-writer'), 'writer');
    const other = await suite.open(`${BASE}/says_thanks`, key);
    await other.getByRole('button', { name: 'Judge calls', exact: true }).waitFor();
    expect(await other.getByRole('button', { name: 'Judge new calls' }).count()).toBe(0);
    await other.getByRole('row', { name: /thanks in production/ }).waitFor();
    expect(await other.getByRole('button', { name: 'Pause' }).count()).toBe(0);
  });

  it('say what would be here', async () => {
    const page = await suite.open(`/console/p/${EMPTY}/scorers`);
    await page.getByText('No scorers yet').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.goto(`${page.url()}/nothing`);
    await page.getByText('There is no such scorer').waitFor();
  });
});
