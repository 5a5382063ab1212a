import { ConsoleSuite } from '../../../testing/console-suite.fixture.js';
import { seedPairs, untilEvaluated } from '../../../testing/seeds/evaluations.fixture.js';
import { makeProject, ownName } from '../../../testing/seeds/projects.fixture.js';
import { seedScorers } from '../../../testing/seeds/scorers.fixture.js';
import { train } from '../../../testing/seeds/training.fixture.js';

const SERVER = `local/${ownName('evaluations-server')}`;
const PAIRS = `local/${ownName('evaluations-pairs')}`;

describe('evaluations on the server', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [SERVER, PAIRS]) await makeProject(hone, project);
  });

  it('run a dataset, scorers and candidates, down to the comparison', async () => {
    await seedScorers(suite.hone, SERVER);
    const [entity = '', project = ''] = SERVER.split('/');
    const rows = [{ messages: [{ role: 'user', content: 'repeat: thank' }] }];
    await suite.hone.trace.createDataset({ entity, project }, { name: 'thanks', rows });
    const page = await suite.open(`/console/p/${SERVER}/datasets/thanks`);
    await page.getByRole('link', { name: 'Evaluate on it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run an evaluation' });
    await dialog.getByLabel('Dataset').locator('option:checked', { hasText: 'thanks' }).waitFor({ state: 'attached' });
    await dialog.getByLabel(/^says thanks/).check();
    await dialog.getByRole('button', { name: 'Add a candidate' }).click();
    const second = dialog.getByRole('group', { name: 'Candidate 2' });
    await second.getByLabel('Temperature').fill('1');
    await suite.expectGoodForEveryone(page);
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    const jobs = page.getByRole('region', { name: 'Evaluations on the server' });
    const job = jobs.getByRole('row', { name: /thanks-evaluation.* done .*1 of 1 answers, 1 scores.*1 of 1 answers/ });
    await job.waitFor({ timeout: 60_000 });
    await suite.expectGoodForEveryone(page);
    await job.getByRole('link', { name: /^thanks-evaluation/ }).click();
    await page
      .getByRole('region', { name: 'Scores' })
      .getByRole('row', { name: /passed/ })
      .waitFor();
    await page.getByText('1 of 1 rows').waitFor();
  });

  it('begin with a checkpoint, and lead to the comparison with another run of the dataset', async () => {
    const place = { entity: 'local', project: 'default' };
    const { model } = await train(suite.hone, ownName('evaluated'), 4);
    const rows = [1, 2, 3].map((n) => ({ messages: [{ role: 'user', content: `repeat: ${n}` }] }));
    const name = ownName('numbers');
    await suite.hone.trace.createDataset(place, { name, rows });
    const check = ownName('says-something');
    const definition = { kind: 'check' as const, check: { check: 'regex' as const, pattern: '.' } };
    await suite.hone.trace.createScorer(place, { name: check, definition });
    const page = await suite.open(`/console/p/local/default/training/models/${model}`);
    await page.getByRole('region', { name: 'Checkpoints' }).getByRole('link', { name: 'Evaluate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run an evaluation' });
    const chosen = dialog.getByRole('group', { name: 'Candidate 1' }).getByLabel('Model').locator('option:checked');
    await chosen.filter({ hasText: /step1/ }).waitFor({ state: 'attached' });
    await dialog.getByLabel('Dataset').selectOption(name);
    await dialog.getByLabel(new RegExp(`^${check}`)).check();
    await dialog.getByRole('button', { name: 'Add a candidate' }).click();
    await suite.expectGoodForEveryone(page);
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    const job = page
      .getByRole('region', { name: 'Evaluations on the server' })
      .getByRole('row', { name: new RegExp(`${name}-evaluation.* done .*3 of 3 answers.*3 of 3 answers`) });
    await job.waitFor({ timeout: 60_000 });
    await page.reload();
    const runs = page.getByRole('region', { name: 'Evaluation runs' });
    await runs
      .getByRole('row', { name: new RegExp(`step1.* ${name}-evaluation`) })
      .getByRole('link')
      .click();
    await page.getByRole('link', { name: /^Compare with hone-tiny/ }).click();
    await page.getByRole('heading', { name: '2 runs side by side' }).waitFor();
    await page.getByRole('region', { name: 'What got worse' }).waitFor();
    await page.getByText('3 of 3 rows').waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('try again what failed, from the page of the run', async () => {
    const place = { entity: 'local', project: 'default' };
    const { model } = await train(suite.hone, ownName('late'), 4);
    const { inference_name } = await suite.hone.training.getTrainableModel({ model_id: model });
    const name = ownName('failing');
    await suite.hone.trace.createDataset(place, { name, rows: [{ question: 'repeat: 1' }, { question: 'repeat: 2' }] });
    const definition = { kind: 'check' as const, check: { check: 'regex' as const, pattern: '.' } };
    const check = ownName('answers');
    await suite.hone.trace.createScorer(place, { name: check, definition });
    const { id, candidates } = await suite.hone.evaluation.createEvaluationJob({
      ...{ project_id: 'local/default', dataset: name, scorers: [check] },
      candidates: [{ model: `${inference_name}:late` }],
    });
    await untilEvaluated(suite.hone, id);
    const run = candidates[0]?.evaluation_run_id ?? '';
    const page = await suite.open(`/console/p/local/default/evaluations/compare?runs=${run}`);
    const jobs = page.getByRole('region', { name: 'Evaluations on the server' });
    await jobs.getByText('2 failed: ').waitFor();
    await suite.expectGoodForEveryone(page);
    await suite.hone.training.putCheckpointAlias({ model_id: model, alias: 'late' }, { step: 1 });
    await jobs.getByRole('button', { name: 'Retry failed' }).click();
    await page
      .getByRole('region', { name: 'Scores' })
      .getByRole('row', { name: 'rows predicted, failed, missing 2, 0, 0' })
      .waitFor();
    // There is nothing left to try again, nor to wait for.
    await jobs.waitFor({ state: 'detached', timeout: 60_000 });
    await page.goto(new URL('/console/p/local/default/evaluations', page.url()).href);
    const job = jobs.getByRole('row', { name: new RegExp(`${name}-evaluation.* done .*2 of 2 answers, 2 scores`) });
    await job.waitFor();
    expect(await job.getByRole('button').count()).toBe(0);
  });

  it('compare answers side by side with those of a candidate or of an earlier run', async () => {
    const runs = await seedPairs(suite.hone, PAIRS);
    const page = await suite.open(`/console/p/${PAIRS}/evaluations/compare?runs=${runs.join(',')}`);
    const rates = page.getByRole('region', { name: 'Win rates' });
    const rate = rates.getByRole('row', { name: /^better answer/ });
    await rate.getByText('uncorrected').waitFor();
    await rate.getByText('advisory').waitFor();
    await rate.getByRole('img', { name: /^Win rate .*, interval .* to .*, which (holds|leaves out) 0\.5$/ }).waitFor();
    const [won = 0, tied = 0, lost = 0] = (await rate.getByText(/^\d+, \d+, \d+$/).innerText()).split(', ').map(Number);
    expect(won + tied + lost).toBe(8);
    await suite.expectGoodForEveryone(page);

    await page.goto(new URL(`/console/p/${PAIRS}/evaluations?new=1&dataset=repeated`, page.url()).href);
    const dialog = page.getByRole('dialog', { name: 'Run an evaluation' });
    await dialog.getByRole('checkbox', { name: /^better answer/ }).check();
    const baseline = dialog.getByLabel('Compare answers with');
    const options = baseline.getByRole('option');
    await options.filter({ hasText: 'Run of warm' }).waitFor({ state: 'attached' });
    expect(await options.filter({ hasText: 'Candidate' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Add a candidate' }).click();
    await dialog.getByRole('group', { name: 'Candidate 2' }).getByLabel('Temperature').fill('1');
    await baseline.selectOption({ label: 'Candidate 2: hone-tiny' });
    await suite.expectGoodForEveryone(page);
    const asked = page.waitForRequest(
      (request) => request.method() === 'POST' && /evaluation\/runs$/.test(request.url()),
    );
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    expect((await asked).postDataJSON()).toMatchObject({ baseline: 'hone-tiny-2' });
    const job = page
      .getByRole('region', { name: 'Evaluations on the server' })
      .getByRole('row', { name: /repeated-evaluation.* done .*8 of 8 answers, 8 scores.*8 of 8 answers, 0 scores/ });
    await job.waitFor({ timeout: 60_000 });
  });
});
