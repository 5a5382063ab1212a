import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import {
  seedAskedRows,
  seedBrokenRun,
  seedEvaluation,
  seedJudgedRuns,
} from '../../testing/seeds/evaluations.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';
import { seedScorers, untilScored } from '../../testing/seeds/scorers.fixture.js';

const PROJECT = `local/${ownName('evaluations')}`;
const EMPTY = `local/${ownName('evaluations-empty')}`;
const BROKEN = `local/${ownName('evaluations-broken')}`;
const JUDGED = `local/${ownName('evaluations-judged')}`;
const LABELLED = `local/${ownName('evaluations-labelled')}`;
const BASE = `/console/p/${PROJECT}/evaluations`;

describe('evaluations', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [PROJECT, EMPTY, BROKEN, JUDGED, LABELLED]) await makeProject(hone, project);
    const dataset = await seedAskedRows(hone, PROJECT, 'sums');
    // Of twelve rows the first misses every second, the other one every third.
    await seedEvaluation(hone, PROJECT, dataset, { small: 2, large: 3 });
  });

  const judgedRuns = async (project = JUDGED) =>
    seedJudgedRuns(suite.hone, project, await seedScorers(suite.hone, project));

  it('are compared run by run, down to the answers that differ', async () => {
    const page = await suite.open(BASE);
    const runs = page.getByRole('region', { name: 'Evaluation runs' });
    await runs.getByRole('link', { name: /^small/ }).waitFor();
    await suite.expectGoodForEveryone(page);
    await runs.getByRole('checkbox', { name: /^Compare small/ }).check();
    await runs.getByRole('checkbox', { name: /^Compare large/ }).check();
    await page.getByRole('button', { name: 'Compare 2' }).click();
    const scores = page.getByRole('region', { name: 'Scores' });
    const correct = scores.getByRole('row', { name: /exact\.correct/ });
    await correct.getByText('0.5', { exact: true }).waitFor();
    await correct.getByText('0.667', { exact: true }).waitFor();
    await correct.getByText(/^Δ \+0\.167/).waitFor();
    await correct.getByText('unclear').waitFor();
    // Its scorer is code that Hone does not know: it may be anybody's opinion.
    await correct.getByText('uncorrected').waitFor();
    await correct
      .getByRole('img', { name: /^Difference \+0\.167, interval .* which holds 0; more is better$/ })
      .waitFor();
    const rows = page.getByRole('region', { name: 'Rows side by side' });
    // An answer is right that was wrong, and the other way round.
    const changed = (title: string, hasText: string) => rows.getByTitle(title, { exact: true }).filter({ hasText });
    expect(await changed('better than the first run', 'exact.correct 1').count()).toBe(4);
    expect(await changed('worse than the first run', 'exact.correct 0').count()).toBe(2);
    const inputs = rows.getByRole('row').filter({ hasText: 'What is 3+1?' });
    expect(await inputs.getByText('{"q"').count()).toBe(0);
    await correct.getByRole('button', { name: 'more is better' }).click();
    await correct.getByRole('button', { name: 'less is better' }).waitFor();
    expect(await changed('worse than the first run', 'exact.correct 1').count()).toBe(4);
    await correct.getByRole('button', { name: 'less is better' }).click();
    await page.getByText('12 of 12 rows').waitFor();
    await page.getByLabel('Only where they differ').check();
    await page.getByLabel('Differ in').selectOption('exact.correct');
    await page.getByText('6 of 12 rows').waitFor();
    await page.reload();
    await page.getByText('6 of 12 rows').waitFor();
    await page.getByRole('button', { name: 'Open the row' }).first().click();
    await page.getByRole('link', { name: 'Open the call' }).first().waitFor();
    await page.getByRole('button', { name: 'Good answer' }).first().click();
    await page.getByRole('img', { name: 'Good answer' }).first().waitFor();
    expect(await page.getByText(HOSTILE.script).count()).toBeGreaterThan(0);
    expect(await page.title()).toBe('Hone');
    await suite.expectGoodForEveryone(page);
  });

  it('say what is better, what got worse where, and what people have not confirmed', async () => {
    const { runs } = await judgedRuns();
    const page = await suite.open(`/console/p/${JUDGED}/evaluations/compare?runs=${runs.join(',')}`);
    const scores = page.getByRole('region', { name: 'Scores' });
    const passed = scores.getByRole('row', { name: /^says_thanks\.passed/ });
    await passed.getByText('12, 0, 12', { exact: true }).waitFor();
    expect(await passed.getByText('uncorrected').count()).toBe(0);
    const helpful = scores.getByRole('row', { name: /^helpful_judge\.helpful/ });
    await helpful.getByText('uncorrected').waitFor();
    await helpful.getByText('advisory').waitFor();
    await helpful.getByRole('link', { name: 'helpful judge' }).waitFor();
    const length = scores.getByRole('row', { name: /^length, characters/ });
    await length.getByText('▼ worse').waitFor();
    const worse = page.getByRole('region', { name: 'What got worse' });
    await worse.getByText('length, characters').waitFor();
    expect(await worse.getByText('says_thanks.passed').count()).toBe(0);
    await page.getByLabel('Compare slices by').selectOption('topic');
    const slice = worse.getByRole('listitem').filter({ hasText: 'says_thanks.passed' });
    await slice.getByText('where topic = refunds').waitFor();
    await page.getByLabel('Accept a loss of').selectOption('length');
    await page.getByLabel('up to').fill('20');
    await page.getByRole('button', { name: 'Test the margin' }).click();
    await length.getByText('loses less than 20').waitFor();
    await page.reload();
    await length.getByText('loses less than 20').waitFor();
    await suite.expectGoodForEveryone(page);
    const rows = page.getByRole('region', { name: 'Rows side by side' });
    const head = (await rows.getByRole('columnheader').allInnerTexts()).slice(1, 3);
    expect(head).toEqual(['Inputs', 'Expected']);
    // The worst change is first.
    const first = rows.getByRole('row').nth(1);
    expect(await first.getByTitle('worse than the first run').count()).toBe(2);
    await page.getByLabel('Order').selectOption('better');
    await first.getByTitle('better than the first run').first().waitFor();
    await first.getByText('orders').waitFor();
  });

  it('are corrected by labels of people, who are asked for them by a click', async () => {
    const { runs, predictions } = await judgedRuns(LABELLED);
    // So that there is a mean to plan for, too.
    const call_ids = ['reply-0', 'reply-1'];
    const scoring = { project_id: LABELLED, scorer: 'helpful_judge', call_ids };
    await untilScored(suite.hone, (await suite.hone.evaluation.createScoring(scoring)).id);
    const page = await suite.open(`/console/p/${LABELLED}/evaluations/compare?runs=${runs.join(',')}`);
    const helpful = page.getByRole('region', { name: 'Scores' }).getByRole('row', { name: /^helpful_judge\.helpful/ });
    await helpful.getByRole('button', { name: 'Have people label it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Have people label rows of 2 runs' });
    await dialog.getByText(/more than the 24 rows that all runs answered/).waitFor();
    await dialog.getByText('No label is there, of 2 judged calls.').waitFor();
    await suite.expectGoodForEveryone(page);
    await dialog.getByRole('button', { name: 'Make a label queue' }).click();
    const made = page.getByRole('dialog', { name: 'The queue is there' });
    await made.getByText('48 calls wait for people').waitFor();
    const feedback_type = 'hone.annotation.helpful_judge-helpful';
    const annotation_ref = `hone:///${LABELLED}/object/helpful_judge-helpful:latest`;
    for (const [at, ids] of predictions.entries())
      for (const [n, id] of ids.entries())
        await suite.hone.trace.createFeedback({
          ...{ project_id: LABELLED, trace_ref: `hone:///${LABELLED}/call/${id}`, feedback_type, annotation_ref },
          payload: { value: 2 + at + (n % 2) },
        });
    await made.getByRole('button', { name: 'Later' }).click();
    await page.reload();
    await helpful.getByText('corrected by 24 labels').waitFor();
    expect(await helpful.getByText('uncorrected').count()).toBe(0);
    await helpful.getByText('Δ +1', { exact: true }).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('show the rows of a run that failed or are missing', async () => {
    const run = await seedBrokenRun(suite.hone, BROKEN);
    const page = await suite.open(`/console/p/${BROKEN}/evaluations/compare?runs=${run}`);
    const scores = page.getByRole('region', { name: 'Scores' });
    await scores.getByRole('row', { name: 'rows predicted, failed, missing 1, 1, 2' }).waitFor();
    const rows = page.getByRole('region', { name: 'Rows side by side' });
    await rows.getByText(`${HOSTILE.script} timed out`).waitFor();
    await page.getByLabel('Status').selectOption('missing');
    await page.getByText('2 of 4 rows').waitFor();
    await rows.getByText('Row 3').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.getByLabel('Status').selectOption('failed');
    await page.getByText('1 of 4 rows').waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('rank models by a score on a dataset', async () => {
    const page = await suite.open(`${BASE}?view=leaderboard&metric=exact.correct`);
    const board = page.getByRole('region', { name: 'Leaderboard' });
    await board.getByRole('row', { name: /^1 large/ }).waitFor();
    await board.getByRole('row', { name: /^2 small/ }).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('say what would be here', async () => {
    const page = await suite.open(`/console/p/${EMPTY}/evaluations`);
    await page.getByText('No evaluations yet').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.goto(page.url().replace(/evaluations$/, 'evaluations/compare'));
    await page.getByText('No run is chosen').waitFor();
  });

  it('list runs of tracing SDKs, too', async () => {
    const [entity = '', project = ''] = EMPTY.split('/');
    const times = { started_at: new Date().toISOString(), ended_at: new Date().toISOString() };
    const call = {
      ...{ id: 'sdk-run', trace_id: 'sdk', parent_id: null, attributes: {}, summary: {}, ...times },
      op_name: `hone:///${EMPTY}/op/Evaluation.evaluate:v0`,
      inputs: { self: `hone:///${EMPTY}/object/by_sdk:v0`, model: `hone:///${EMPTY}/op/predict:v0` },
      output: { exact: { mean: 0.75 } },
    };
    await suite.hone.trace.completeProjectCalls({ entity, project }, { batch: [call] } as never);
    const page = await suite.open(`/console/p/${EMPTY}/evaluations`);
    await page.getByRole('row', { name: /predict:v0 by_sdk:v0 success exact\.mean 0\.75/ }).waitFor();
  });
});
