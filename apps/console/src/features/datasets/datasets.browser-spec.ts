import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { seedDataset, seedLargeDataset } from '../../testing/seeds/datasets.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('datasets')}`;
const EMPTY = `local/${ownName('datasets-empty')}`;
const BASE = `/console/p/${PROJECT}/datasets`;
const ROWS = 100_000;
const SUM = [
  ['q', '1, 1'],
  ['a', 2],
  ['zip', '02139'],
  ['__proto__', '7'],
];

describe('datasets', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [PROJECT, EMPTY]) await makeProject(hone, project);
    await seedDataset(hone, PROJECT, 'questions');
    await seedLargeDataset(hone, PROJECT, 'large', ROWS);
  });

  const rowsOf = async (object_id: string) => {
    const [entity = '', project = ''] = PROJECT.split('/');
    const { rows } = await suite.hone.trace.getDataset({ entity, project, object_id, digest: 'latest' });
    const table = { project_id: PROJECT, digest: rows?.split('/').at(-1) ?? '' };
    return (await suite.hone.trace.queryTable(table)).rows.map(({ val }) => val);
  };

  it('are listed with their sizes, and found by name', async () => {
    const page = await suite.open(BASE);
    await page.getByText('100K').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.getByLabel('Part of the name of a dataset').fill('quest');
    await page.getByRole('link', { name: 'large' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'questions' }).waitFor();
    expect(await page.getByRole('link', { name: 'large' }).count()).toBe(0);
  });

  it('show hostile rows as text, and open again at the same row', async () => {
    const page = await suite.open(`${BASE}/questions`);
    await page.getByRole('gridcell', { name: HOSTILE.script }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: 'Row 0' }).waitFor();
    await page.keyboard.press('j');
    await page.reload();
    const panel = page.getByRole('complementary', { name: 'Row 1' });
    await panel.getByText('12345678901234567890').waitFor();
    expect(await page.title()).toBe('Hone');
    await suite.expectGoodForEveryone(page);
  });

  it('scroll through a hundred thousand rows', async () => {
    const page = await suite.open(`${BASE}/large?row=${ROWS - 1}`);
    await page
      .getByRole('complementary', { name: `Row ${ROWS - 1}` })
      .getByText(`Answer ${(ROWS - 1) % 97}`)
      .waitFor();
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
    await page
      .locator(`#row-${ROWS - 1}`)
      .getByText(`Question ${(ROWS - 1) % 97}`)
      .waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(100);
  });

  it('are edited into a new version, which keeps the old one', async () => {
    const page = await suite.open(`${BASE}/questions?row=0`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const editor = page.getByLabel('Row as JSON');
    await editor.fill('{"q": ');
    await page.getByText('this is none yet').waitFor();
    await editor.fill('{"q": "What is 3+3?", "exact": 0.10000000000000000000001}');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('#row-2').click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Save 2 changes as v1' }).click();
    await page.getByText('2 rows').waitFor();
    expect(await rowsOf('questions')).toMatchObject([{ q: 'What is 3+3?' }, { q: HOSTILE.script }]);
    await page.getByLabel('Version').selectOption({ label: 'v0' });
    await page.getByRole('gridcell', { name: 'What is 2+2?' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add a row' }).count()).toBe(0);
  });

  it('are imported from CSV and from JSONL', async () => {
    const page = await suite.open(BASE);
    await page.getByRole('button', { name: 'Import a file' }).click();
    const importFile = (name: string, text: Uint8Array | string) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await importFile('Sums.csv', Buffer.from('q\ncaf\xe9', 'latin1'));
    await page.getByText('choose Windows-1252').waitFor();
    await page.getByLabel('Encoding').selectOption('windows-1252');
    await page.getByText('café').waitFor();
    await importFile('Sums.csv', ' q ,a,zip,__proto__\n"1, 1",2,02139,7\n');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByLabel('__proto__').selectOption('text');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.waitForURL(/\/datasets\/sums$/);
    await page.getByRole('gridcell', { name: '1, 1' }).waitFor();
    expect((await rowsOf('sums')).map((row) => Object.entries(row as object))).toEqual([SUM]);
    await page.getByRole('button', { name: 'Import rows' }).click();
    await importFile('more.jsonl', '{"q": "2, 2"}\nno JSON');
    await page.getByText('Line 2 is no JSON.').waitFor();
    await importFile('more.jsonl', '{"q": "2, 2"}\n');
    await page.getByRole('button', { name: 'Add the rows' }).click();
    await page.getByRole('button', { name: 'Save 1 change as v1' }).click();
    await page.getByText('2 rows').waitFor();
    expect((await rowsOf('sums'))[1]).toEqual({ q: '2, 2' });
  });

  it('are shown to a reader, who cannot change them', async () => {
    const page = await suite.open(`${BASE}/large?row=0`, await makeMember(suite.hone, 'datasets-reader', 'reader'));
    await page.getByText('Answer 0').first().waitFor();
    for (const name of ['Add a row', 'Import rows', 'Edit', 'Delete'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  });

  it('say what would be here, what is not there, and what the server says', async () => {
    const page = await suite.open(`/console/p/${EMPTY}/datasets`);
    await page.getByText('No datasets yet').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.goto(page.url().replace(/datasets$/, 'datasets/nothing'));
    await page.getByText('There is no such dataset').waitFor();
    await page.route('**/objs/query', (route) =>
      route.fulfill({ status: 400, json: { detail: 'The query is too odd.', code: 'idempotency.key_invalid' } }),
    );
    await page.reload();
    await page.getByText('The query is too odd.').waitFor();
    await page.unroute('**/objs/query');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('There is no such dataset').waitFor();
  });
});
