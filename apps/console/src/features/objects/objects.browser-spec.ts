import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { seedPrompt } from '../../testing/seeds/objects.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('objects')}`;
const EMPTY = `local/${ownName('objects-empty')}`;
const BASE = `/console/p/${PROJECT}/objects`;

describe('objects', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [PROJECT, EMPTY]) await makeProject(hone, project);
    await seedPrompt(hone, PROJECT);
    await hone.trace.createObject({ obj: { project_id: PROJECT, object_id: 'config', val: { temperature: 0.2 } } });
  });

  it('are listed by class, and found by tag', async () => {
    const page = await suite.open(BASE);
    await page.getByRole('link', { name: 'config' }).waitFor();
    await suite.expectGoodForEveryone(page);
    await page.getByLabel('Class').selectOption('Prompt');
    await page.getByRole('link', { name: 'config' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('production').waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('reviewed');
    await page.getByRole('cell', { name: 'v0' }).waitFor();
  });

  it('show two versions side by side, at an address of its own', async () => {
    const page = await suite.open(`${BASE}/greeting`);
    await page.getByText(HOSTILE.script).first().waitFor();
    await page.getByLabel('Beside v1').selectOption({ label: 'v0' });
    const diff = page.getByRole('region', { name: 'v0 beside v1' });
    await diff.getByText('2 lines differ').waitFor();
    await page.reload();
    await diff.getByText('Be short.').waitFor();
    await diff.getByText('Be warm and short.').waitFor();
    expect(await page.title()).toBe('Hone');
    await suite.expectGoodForEveryone(page);
  });

  it('are labelled, and lose a version once one has said that it is meant', async () => {
    const page = await suite.open(`${BASE}/greeting`);
    const first = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'v0' }) });
    await first.getByRole('button', { name: 'Label' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('champion');
    await page.getByRole('button', { name: 'Set the alias' }).click();
    await first.getByText('champion').waitFor();
    await first.getByRole('button', { name: 'Remove the alias champion' }).click();
    await first.getByText('champion').waitFor({ state: 'detached' });
    await first.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the version' }).click();
    await first.waitFor({ state: 'detached' });
    const { objs } = await suite.hone.trace.queryObjects({ project_id: PROJECT, filter: { object_ids: ['greeting'] } });
    expect(objs.map(({ version_index }) => version_index)).toEqual([1]);
  });

  it('say what would be here, and show a reader no control', async () => {
    const page = await suite.open(`/console/p/${EMPTY}/objects`);
    await page.getByText('No objects yet').waitFor();
    await suite.expectGoodForEveryone(page);
    const reading = await suite.open(`${BASE}/config`, await makeMember(suite.hone, 'objects-reader', 'reader'));
    await reading.getByText('temperature').waitFor();
    for (const name of ['Delete', 'Label']) expect(await reading.getByRole('button', { name }).count()).toBe(0);
  });
});
