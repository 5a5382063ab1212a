import { ConsoleSuite } from '../../../testing/console-suite.fixture.js';
import { HOSTILE } from '../../../testing/seeds/hostile.fixture.js';
import { makeProject, ownName } from '../../../testing/seeds/projects.fixture.js';

const NAME = ownName('rows');
const PROJECT = `local/${NAME}`;
const ASKED = `/console/p/${PROJECT}/playground?model=hone-tiny&temperature=0&max_tokens=12&message=repeat:+{{word}}`;

describe('the playground over the rows of a dataset', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    const place = { entity: 'local', project: NAME };
    const words = ['cat', 'dog', HOSTILE.script, HOSTILE.rightToLeft];
    const rows = [...words.map((word) => ({ inputs: { word }, other: 1 })), { other: 2 }];
    await hone.trace.createDataset(place, { name: 'words', rows } as never);
    const many = Array.from({ length: 300 }, (_, index) => ({ word: `w${index}` }));
    await hone.trace.createDataset(place, { name: 'many', rows: many } as never);
  });

  it('asks each row with its own words, names what a row lacks, and leads to the calls', async () => {
    const page = await suite.open(`${ASKED}&beside=hone-tiny`);
    await page.getByRole('button', { name: 'Run over a dataset' }).click();
    await page.getByRole('combobox', { name: 'Dataset' }).selectOption('words');
    await page.getByLabel('Column of word').waitFor();
    expect(await page.getByLabel('Column of word').inputValue()).toBe('inputs.word');
    await page.getByRole('button', { name: 'Run 5' }).click();
    await page.getByText('10 of 10 answered, 2 failed.').waitFor();
    const row = (at: number) => page.getByRole('region', { name: 'Answers by row' }).getByRole('row').nth(at);
    await row(1).getByRole('cell').nth(2).getByText('cat').waitFor();
    await row(2).getByRole('cell').nth(3).getByText('dog').waitFor();
    expect(await row(5).getByText('The row has no inputs.word: it was not asked.').count()).toBe(2);
    await suite.expectGoodForEveryone(page);
    await row(1).getByRole('link', { name: 'call' }).first().click();
    await page.getByRole('list', { name: 'Conversation' }).getByText('repeat: cat').waitFor();
  });

  it('asks few at a time, no more than it was told to, and none once it is cancelled', async () => {
    const page = await suite.open(ASKED);
    let [open, most, asked] = [0, 0, 0];
    const held: (() => void)[] = [];
    await page.route('**/v1/chat/completions', async (route) => {
      open++;
      asked++;
      most = Math.max(most, open);
      if (asked > 6) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
      open--;
    });
    await page.getByRole('button', { name: 'Run over a dataset' }).click();
    await page.getByRole('combobox', { name: 'Dataset' }).selectOption('many');
    await page.getByLabel('Column of word').waitFor();
    await page.getByRole('spinbutton', { name: /^Rows/ }).fill('500');
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('spinbutton', { name: /^Rows/ }).fill('60');
    await page.getByRole('button', { name: 'Run 60' }).click();
    await page.getByText('6 of 60 answered').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('6 of 60 answered; cancelled.').waitFor();
    expect(most).toBeLessThanOrEqual(4);
    expect(asked).toBeLessThanOrEqual(10);
    for (const release of held) release();
  });

  it('says that messages without a variable are the same for every row', async () => {
    const page = await suite.open(ASKED.replace('{{word}}', 'cat'));
    await page.getByRole('button', { name: 'Run over a dataset' }).click();
    await page.getByText('The messages have no variable').waitFor();
    await page.getByRole('combobox', { name: 'Dataset' }).selectOption('words');
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
    await suite.expectGoodForEveryone(page);
  });
});
