import type { Page } from 'playwright-core';

import { ConsoleSuite } from './testing/console-suite.fixture.js';
import { seedQueue } from './testing/seeds/annotation.fixture.js';
import { seedRetrieval } from './testing/seeds/calls.fixture.js';
import { aChart, seedDashboard } from './testing/seeds/dashboards.fixture.js';
import { seedDataset } from './testing/seeds/datasets.fixture.js';
import { seedEvaluation } from './testing/seeds/evaluations.fixture.js';
import { seedImprovable, seedImprovement } from './testing/seeds/improvements.fixture.js';
import { makeMember } from './testing/seeds/members.fixture.js';
import { seedPrompt } from './testing/seeds/objects.fixture.js';
import { seedPipeline } from './testing/seeds/pipelines.fixture.js';
import { makeProject, ownName } from './testing/seeds/projects.fixture.js';
import { seedScorers } from './testing/seeds/scorers.fixture.js';
import { seedThread } from './testing/seeds/threads.fixture.js';
import { train } from './testing/seeds/training.fixture.js';

const NAME = ownName('views');
const PROJECT = `local/${NAME}`;
const EMPTY = `local/${ownName('views-empty')}`;

/** What the proxy answers for a service that does not run. */
const STOPPED = {
  status: 503,
  headers: { 'retry-after': '1' },
  json: { detail: "The service 'trace' is not available.", code: 'service.unavailable' },
};

/** Each view, what is seen in it, and what is seen where the project is empty. */
const VIEWS: Readonly<Record<string, { readonly full: string; readonly empty: string }>> = {
  '': { full: 'Spend by model', empty: 'is empty' },
  dashboards: { full: 'Failures by op', empty: 'No dashboards yet' },
  'dashboards/dashboard-failures_by_op': { full: 'Calls by op', empty: 'There is no such dashboard' },
  calls: { full: 'answer_question', empty: 'No calls yet' },
  'calls/answer_question': { full: 'How do I reset my password?', empty: 'There is no such call' },
  threads: { full: 'support-1', empty: 'No conversations yet' },
  'threads/support-1': { full: 'Turn 3', empty: 'There is no such conversation' },
  feedback: { full: 'well done', empty: 'No feedback yet' },
  annotation: { full: 'to judge', empty: 'No queues yet' },
  datasets: { full: 'questions', empty: 'No datasets yet' },
  'datasets/questions': { full: 'What is 2+2?', empty: 'There is no such dataset' },
  prompts: { full: 'greeting', empty: 'No prompts yet' },
  'prompts/greeting': { full: 'production', empty: 'There is no such prompt' },
  objects: { full: 'greeting', empty: 'No objects yet' },
  'objects/greeting': { full: 'production', empty: 'There is no such object' },
  scorers: { full: 'says thanks', empty: 'No scorers yet' },
  'scorers/says_thanks': { full: 'How far to trust it', empty: 'There is no such scorer' },
  evaluations: { full: 'small:', empty: 'No evaluations yet' },
  gates: { full: 'Small or large', empty: 'No gates yet' },
  improvements: { full: 'Improve small', empty: 'No improvements yet' },
  pipelines: { full: 'Every night', empty: 'No pipelines yet' },
  training: { full: 'pupil', empty: 'Nothing is trained here yet' },
  'training/new': { full: 'judged calls of this project', empty: 'There is no model to train yet' },
  playground: { full: 'Compare with another', empty: 'Compare with another' },
  usage: { full: 'Requests per minute', empty: 'Nothing was asked through the gateway in this time' },
  gateway: { full: 'local/hone-tiny', empty: 'local/hone-tiny' },
  'settings?section=kept': { full: 'Stored of each chat', empty: 'Stored of each chat' },
  'settings?section=search': { full: 'On: all calls are found', empty: 'On: all calls are found' },
};

const retryAll = () => {
  for (const button of document.querySelectorAll('main button')) {
    if (button.textContent === 'Retry') (button as HTMLElement).click();
  }
};

describe('every view', () => {
  let runs: readonly string[] = [];
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [PROJECT, EMPTY]) await makeProject(hone, project);
    // What it judges is older than the rest, which lists show first.
    await seedScorers(hone, PROJECT);
    await seedRetrieval(hone, PROJECT);
    const ref = { project_id: PROJECT, trace_ref: `hone:///${PROJECT}/call/answer_question` };
    await hone.trace.createFeedback({ ...ref, feedback_type: 'hone.note.1', payload: { note: 'well done' } });
    await seedThread(hone, PROJECT, 'support-1');
    await seedQueue(hone, PROJECT, 'to judge', 1);
    const dataset = await seedDataset(hone, PROJECT, 'questions');
    await seedPrompt(hone, PROJECT);
    await seedDashboard(hone, PROJECT, 'Failures by op', [aChart({ title: 'Calls by op', group_by: ['op'] })]);
    runs = (await seedEvaluation(hone, PROJECT, dataset, { small: 2, large: 3 })).runs;
    await hone.evaluation.createGate({
      ...{ project_id: PROJECT, name: 'Small or large', runs: [...runs], metric: 'scores.exact.correct' },
    });
    await seedPipeline(hone, PROJECT, 'Every night');
    await seedImprovement(hone, PROJECT, await seedImprovable(hone, PROJECT));
    const place = { entity: 'local', project: NAME };
    await hone.training.createTrainableModel({ ...place, name: 'pupil', base_model: 'hone-tiny' });
  });
  const addressOf = (project: string, view: string) => `/console/p/${project}${view && `/${view}`}`;
  const seen = (page: Page, text: string) =>
    page
      .locator('main')
      .getByText(text)
      .or(page.locator('main').getByLabel(text))
      .filter({ visible: true })
      .first()
      .waitFor();

  it.each(Object.entries(VIEWS))('%s is for everyone, and is there again after a reload', async (view, { full }) => {
    const page = await suite.open(addressOf(PROJECT, view));
    await seen(page, full);
    await suite.expectGoodForEveryone(page);
    const address = page.url();
    await page.reload();
    await seen(page, full);
    expect(page.url()).toBe(address);
    expect(await page.title()).toBe('Hone');
  });

  it.each(Object.entries(VIEWS))('%s says what would be here', async (view, { empty }) => {
    const page = await suite.open(addressOf(EMPTY, view));
    await seen(page, empty);
    await suite.expectGoodForEveryone(page);
  });

  it.each(Object.entries(VIEWS))(
    '%s says what is wrong while services stand still, and tries again',
    async (view, { full }) => {
      const page = await suite.open('/console/p/local/default');
      await page.route(
        (url) => !/^\/(?:console|account)(?:\/|$)/.test(url.pathname),
        (route) => route.fulfill(STOPPED),
      );
      await page.goto(new URL(addressOf(PROJECT, view), page.url()).href);
      await page.locator('main').getByText(STOPPED.json.detail).first().waitFor();
      await page.getByText(STOPPED.json.code).first().waitFor();
      await page.getByRole('button', { name: 'Retry' }).first().waitFor();
      await suite.expectGoodForEveryone(page);
      await page.unrouteAll();
      // Views that poll come back by themselves, the others by each Retry.
      await page.evaluate(retryAll);
      await seen(page, full);
    },
  );

  it.each([
    'training',
    'datasets',
    'prompts',
    'scorers',
    'gates',
    'improvements',
    'pipelines',
    'objects',
    'annotation',
    'feedback',
    'threads',
  ])('%s has a line to paste that is about the project that is shown', async (view) => {
    const page = await suite.open(addressOf(EMPTY, view));
    const line = await page.locator('main pre').first().innerText();
    expect(line).toContain(EMPTY.slice('local/'.length));
  });

  it('training shows jobs whose models were deleted', async () => {
    const { model, job } = await train(suite.hone, ownName('gone'), 4);
    await suite.hone.training.deleteTrainableModel({ model_id: model });
    const page = await suite.open('/console/p/local/default/training');
    // As in a project that has no other model.
    await page.route('**/v1/preview/models?*', (route) => route.fulfill({ json: { data: [], has_more: false } }));
    await page.reload();
    await page.getByText('No model is left.').waitFor();
    await page.getByRole('region', { name: 'Table of jobs' }).locator(`a[href$="/training/jobs/${job}"]`).waitFor();
  });

  it('of a job and of its model are for everyone, too', async () => {
    const { model, job } = await train(suite.hone, ownName('seen'), 40);
    const page = await suite.open(`/console/p/local/default/training/models/${model}`);
    await page.getByRole('region', { name: 'Line of checkpoints' }).getByText('production').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.goto(new URL(`/console/p/local/default/training/jobs/${job}`, page.url()).href);
    await page.getByRole('img', { name: /^loss over/ }).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('of a comparison is for everyone, too, and says what is wrong while services stand still', async () => {
    const path = addressOf(PROJECT, `evaluations/compare?runs=${runs.join(',')}`);
    const page = await suite.open(path);
    await seen(page, 'What got worse');
    await suite.expectGoodForEveryone(page);
    const address = page.url();
    await page.route(
      (url) => url.pathname.startsWith('/evaluation/'),
      (route) => route.fulfill(STOPPED),
    );
    await page.reload();
    await page.locator('main').getByText(STOPPED.json.detail).first().waitFor();
    await suite.expectGoodForEveryone(page);
    await page.unrouteAll();
    await page.evaluate(retryAll);
    await seen(page, 'What got worse');
    expect(page.url()).toBe(address);
    const key = await makeMember(suite.hone, 'views-of-comparing-reader', 'reader', ['trace']);
    const other = await suite.open(path, key);
    await seen(other, 'What got worse');
    expect(await other.getByRole('button', { name: /^(Have people|Good answer)/ }).count()).toBe(0);
  });

  it('has no control for a reader that would only be refused', async () => {
    const every = ['trace', 'training', 'inference', 'account'] as const;
    const key = await makeMember(suite.hone, 'views-of-reader', 'reader', [...every]);
    const page = await suite.open(addressOf(PROJECT, ''), key);
    const refused =
      /^(Good answer|Bad answer|Rate|Add|Save|Send|Delete|Train|Dry run|New queue|Import|Create model|Create project|Edit|Label|Annotate|Cancel|Set |Remove|Add member|Overwrite|Move|Split|Protect|Have people|Look for bias|Judge it|Run an|Decide|Improve)/;
    for (const [view, { full }] of Object.entries(VIEWS)) {
      await page.goto(new URL(addressOf(PROJECT, view), page.url()).href);
      await seen(page, ['training/new', 'playground'].includes(view) ? 'Your role lets you look' : full);
      const names = await page.locator('main').getByRole('button', { name: refused }).allInnerTexts();
      expect([view, names]).toEqual([view, []]);
    }
  });
});
