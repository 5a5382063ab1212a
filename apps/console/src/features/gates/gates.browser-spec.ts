import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { seedGate, seedGateRuns, seedQuality } from '../../testing/seeds/gates.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';
import { seedScorers } from '../../testing/seeds/scorers.fixture.js';

const PROJECT = `local/${ownName('gates')}`;
const CHECK = 'scores.says_thanks.passed';
const JUDGE = 'scores.helpful_judge.helpful';

describe('gates', () => {
  let runs: readonly [string, string];
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    runs = await seedGateRuns(hone, PROJECT, await seedScorers(hone, PROJECT));
  });
  // How long answers take is up to the machine.
  const seed = (body: object) =>
    seedGate(suite.hone, PROJECT, { runs: [...runs], metric: CHECK, without_guards: ['slow'], ...body });
  const openGate = ({ id }: { readonly id: string }) => suite.open(`/console/p/${PROJECT}/gates/${id}`);

  it('show by which looks they decided, and lead to the runs', async () => {
    const gate = await seed({ name: 'Thanks' });
    const page = await suite.open(`/console/p/${PROJECT}/gates`);
    const row = page.getByRole('region', { name: 'Gates' }).getByRole('row', { name: /^Thanks/ });
    await row.getByText('promote', { exact: true }).waitFor();
    await suite.expectGoodForEveryone(page);
    await row.getByRole('link', { name: 'Thanks' }).click();
    await page.getByRole('region', { name: 'Verdict' }).getByText(gate.sentence).waitFor();
    await page.getByRole('img', { name: /^How much better the candidate is over \d+ pairs: / }).waitFor();
    const looks = page.getByRole('region', { name: 'Each look' }).getByRole('row');
    expect(await looks.count()).toBe(1 + gate.looks.length);
    const guards = page.getByRole('region', { name: 'Guards' });
    await guards
      .getByRole('row', { name: /^failed answers/ })
      .getByText('5 %', { exact: true })
      .waitFor();
    expect(await page.getByText('uncorrected').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await suite.expectGoodForEveryone(page);
    await page.getByRole('link', { name: 'both, row by row' }).click();
    await page.waitForURL(`**/evaluations/compare?runs=${runs.join(',')}`);
  });

  it('say that a judge alone decides nothing, and what labels it would take', async () => {
    const page = await openGate(await seed({ metric: JUDGE }));
    await page.getByRole('region', { name: 'Verdict' }).getByText('uncorrected').waitFor();
    const needed = page.getByRole('region', { name: 'Labels it needs' });
    await needed.getByText(/people have to judge about \d+ pairs/).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('wait for people, lead to their queue, and can be cancelled', async () => {
    const truth = { feedback_type: await seedQuality(suite.hone, PROJECT) };
    const gate = await seed({ name: 'Helpful', metric: JUDGE, truth });
    const page = await openGate(gate);
    const waits = page.getByRole('region', { name: 'What it waits for' });
    await waits.getByText(`People judged 0 of the ${gate.labels_asked} pairs`).waitFor();
    await waits.getByText('The first answers without a label').click();
    expect(await waits.getByRole('listitem').count()).toBe(gate.awaited_calls.length);
    await suite.expectGoodForEveryone(page);
    await waits.getByRole('link', { name: 'Open its annotation queue' }).click();
    await page.getByRole('heading', { name: 'Gate: Helpful' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('It was cancelled before it decided anything.').waitFor();
    await page
      .getByRole('region', { name: 'Acts' })
      .getByRole('row', { name: /cancelled admin/ })
      .waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  });

  it('are made of two runs that one compares', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/evaluations/compare?runs=${runs.join(',')}`);
    await page.getByRole('button', { name: 'Decide', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('By the score').selectOption(JUDGE);
    expect(await dialog.getByLabel('Largest score').inputValue()).toBe('5');
    await dialog.getByLabel('Let the judge decide alone').check();
    await dialog.getByText(/leaves out the judge’s errors/).waitFor();
    await suite.expectGoodForEveryone(page);
    await dialog.getByLabel('By the score').selectOption(CHECK);
    expect(await dialog.getByLabel('Let the judge decide alone').count()).toBe(0);
    await dialog.getByLabel('Least gain').fill('2.5');
    await dialog.getByLabel('answers that are lists', { exact: true }).uncheck();
    await dialog.getByLabel('Accepted loss of length of the answers, %').fill('50');
    await dialog.getByRole('button', { name: 'Make the gate' }).click();
    await page.waitForURL(/\/gates\/[0-9a-f-]{36}$/);
    const settings = page.getByRole('region', { name: 'What it decides by' });
    await settings.getByText('2.5 %', { exact: true }).waitFor();
    const length = page.getByRole('region', { name: 'Guards' }).getByRole('row', { name: /^length of the answers/ });
    await length.getByText('50 % more').waitFor();
    await length.getByText('has to be proven').waitFor();
    expect(await page.getByRole('region', { name: 'Guards' }).getByText('answers that are lists').count()).toBe(0);
    await settings.getByText('answers that are lists').waitFor();
  });

  it('say what would be here, and what is wrong', async () => {
    const empty = `local/${ownName('gates-empty')}`;
    await makeProject(suite.hone, empty);
    const page = await suite.open(`/console/p/${empty}/gates`);
    await page.getByText('No gates yet').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.goto(new URL(`/console/p/${empty}/gates/01a22cf1-0000-7000-8000-000000000000`, page.url()).href);
    await page.getByText('It was deleted, or its address is another.').waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('are only looked at by readers', async () => {
    const gate = await seed({ metric: JUDGE, truth: { feedback_type: await seedQuality(suite.hone, PROJECT) } });
    const key = await makeMember(suite.hone, ownName('gates-reader'), 'reader', ['trace']);
    const page = await suite.open(`/console/p/${PROJECT}/gates/${gate.id}`, key);
    await page.getByRole('region', { name: 'What it waits for' }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await page.goto(new URL(`/console/p/${PROJECT}/evaluations/compare?runs=${runs.join(',')}`, page.url()).href);
    await page.getByRole('region', { name: 'What got worse' }).waitFor();
    expect(await page.getByRole('button', { name: 'Decide' }).count()).toBe(0);
  });
});
