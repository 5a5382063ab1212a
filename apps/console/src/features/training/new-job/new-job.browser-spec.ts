import { ConsoleSuite } from '../../../testing/console-suite.fixture.js';
import { seedDataset } from '../../../testing/seeds/datasets.fixture.js';
import { makeProject, ownName } from '../../../testing/seeds/projects.fixture.js';

const NAME = ownName('new-job');
const PROJECT = `local/${NAME}`;

const CONVERSATION = {
  messages: [
    { role: 'user', content: 'Who are you?' },
    { role: 'assistant', content: 'Ada.' },
  ],
};
/** Rows of each form that fine-tuning takes, and one of none. */
const ROWS = [
  ...Array.from({ length: 8 }, (_, index) => ({
    inputs: { messages: [{ role: 'user', content: `What is ${index} plus 1?` }] },
    output: String(index + 1),
  })),
  CONVERSATION,
  { q: 'no conversation' },
];

describe('a training job', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    const place = { entity: 'local', project: NAME };
    await hone.training.createTrainableModel({ ...place, name: 'pupil', base_model: 'hone-tiny' });
    await hone.trace.createDataset(place, { name: 'lessons', rows: ROWS } as never);
    await seedDataset(hone, PROJECT, 'questions');
  });

  it('is made of a dataset after a dry run, and each leads to the other', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/datasets/lessons`);
    await page.getByRole('link', { name: 'Train on it' }).click();
    await page.getByRole('combobox', { name: 'Dataset' }).waitFor();
    await page.getByRole('option', { name: 'lessons v0' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('9 of 10 rows would be used.').waitFor();
    await page.getByText('would train', { exact: true }).waitFor();
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.waitForURL(/\/training\/jobs\//);
    await page.getByRole('link', { name: 'lessons v0' }).click();
    await page.getByRole('button', { name: 'Used by' }).click();
    await page.getByRole('region', { name: 'Training jobs' }).getByText('lessons:v0').waitFor();
    await page.getByText('No evaluation uses it').waitFor();
    await suite.expectGoodForEveryone(page);
    // The dry run has uploaded the rows; the job reads these.
    const { data } = await suite.hone.training.listArtifacts({ entity: 'local', project: NAME });
    expect(data.map(({ name }) => name)).toEqual(['dataset-lessons-v0']);
  });

  it('is not made of a dataset that says nothing to learn', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/training/new?from=dataset&kind=sft&dataset=questions`);
    await page.getByRole('option', { name: 'questions v0' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('None of the 3 rows can be learned from').waitFor();
    await page.getByRole('combobox', { name: 'Learn from' }).selectOption('rl');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('a row needs “trajectories”').waitFor();
  });

  it('is made of a file after a dry run', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/training/new?from=file&kind=sft`);
    const text = `${JSON.stringify(CONVERSATION)}\n`.repeat(4);
    const buffer = Buffer.from(text);
    await page.locator('input[type=file]').setInputFiles({ name: 'own.jsonl', mimeType: 'text/plain', buffer });
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('would train', { exact: true }).waitFor();
  });

  it('learns from thumbs in a file, and shows how rewards of answers part', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/training/new?from=file&kind=thumbs`);
    const lines = Array.from({ length: 16 }, (_, at) =>
      JSON.stringify({ prompt: `What is ${at} plus 1?`, completion: at % 2 ? 'no' : `${at + 1}`, label: at % 2 === 0 }),
    );
    const buffer = Buffer.from(lines.join('\n'));
    await page.locator('input[type=file]').setInputFiles({ name: 'thumbs.jsonl', mimeType: 'text/plain', buffer });
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('would train', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.getByRole('heading', { name: 'Learning from preferences' }).waitFor();
    await page.getByText('rewards/margin').first().waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('is made of judged calls after a dry run, which says why none is left', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/training/new`);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('0 of 0 calls would be used').waitFor();
  });
});
