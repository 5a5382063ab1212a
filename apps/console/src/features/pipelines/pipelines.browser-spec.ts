import type { PipelineDto } from '@hone/client';

import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { seedPipeline } from '../../testing/seeds/pipelines.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('pipelines')}`;

describe('pipelines', () => {
  let pipeline: PipelineDto;
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    pipeline = await seedPipeline(hone, PROJECT, 'Every night');
  });

  it('are run, paused and resumed, and say how each run ended', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/pipelines`);
    const row = page.getByRole('region', { name: 'Pipelines' }).getByRole('row', { name: /^Every night/ });
    await row.getByText('Learns every day, and moves “production”.').waitFor();
    await suite.expectGoodForEveryone(page);
    await row.getByRole('link', { name: 'Every night' }).click();
    await page.getByText('None yet.').waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    const runs = page.getByRole('region', { name: 'Runs of the pipeline' });
    await runs.getByText('nothing to learn from', { exact: true }).waitFor({ timeout: 60_000 });
    await runs.getByText(/There is nothing to learn from: /).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('show a reader how they are set, and let nobody else change them', async () => {
    const key = await makeMember(suite.hone, 'watcher', 'reader');
    const page = await suite.open(`/console/p/${PROJECT}/pipelines/${pipeline.id}`, key);
    await page.getByRole('region', { name: 'What it does' }).getByText('scores.right.passed').waitFor();
    expect(await page.getByRole('button', { name: 'Run now' }).count()).toBe(0);
  });

  it('are deleted with their runs', async () => {
    const { id } = await seedPipeline(suite.hone, PROJECT, 'Soon gone');
    const page = await suite.open(`/console/p/${PROJECT}/pipelines/${id}`);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/pipelines$/);
    await page.getByRole('link', { name: 'Every night' }).waitFor();
    expect(await page.getByRole('link', { name: 'Soon gone' }).count()).toBe(0);
  });

  it('say what would be here', async () => {
    const empty = `local/${ownName('pipelines-empty')}`;
    await makeProject(suite.hone, empty);
    const page = await suite.open(`/console/p/${empty}/pipelines`);
    await page.getByText('No pipelines yet').waitFor();
    await suite.expectGoodForEveryone(page);
  });
});
