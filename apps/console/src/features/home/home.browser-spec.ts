import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { seedMonth } from '../../testing/seeds/month.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const NAME = ownName('home');
const PROJECT = `local/${NAME}`;
const BASE = `/console/p/${PROJECT}`;
const DAYS = 65;

describe('home', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    await seedMonth(hone, PROJECT, DAYS);
  });

  it('tells the spend per model and day of last month by one choice', async () => {
    const page = await suite.open(BASE);
    await page.getByLabel('Time', { exact: true }).selectOption('Last month');
    const chart = page.getByRole('slider', { name: 'Spend by model' });
    await chart.waitFor();
    const figure = page.locator('figure', { has: chart });
    await figure.getByText('gpt-4.1-mini').waitFor();
    // 90,000 and 9,000 tokens at 2 and 8 dollars per million, two calls a day.
    const third = new Date(new Date().getFullYear(), new Date().getMonth() - 1, 3);
    const last = new Date(new Date().getFullYear(), new Date().getMonth(), 0).getDate();
    await figure.getByText(`$${(last * 2 * (0.09 * 2 + 0.009 * 8)).toFixed(2)}`).waitFor();
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await figure.getByText(/2: gpt-4\.1 \$0\.50, gpt-4\.1-mini \$0\.10$/).waitFor();
    await suite.expectGoodForEveryone(page);
    // Where it was left.
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/calls\?/);
    await page.getByText('4 calls').or(page.getByText('answer').first()).first().waitFor();
    const q = new URL(page.url()).searchParams.get('q') ?? '';
    expect(q).toContain(third.toISOString());
  });

  it('draws the hour that has only begun as wide as others', async () => {
    await makeProject(suite.hone, `${PROJECT}-new`);
    const now = new Date().toISOString();
    const call = { id: `${NAME}-new`, op_name: 'answer', trace_id: `${NAME}-new`, started_at: now, ended_at: now };
    const batch = [{ ...call, attributes: {}, inputs: {}, output: 'Yes', summary: {} }];
    await suite.hone.trace.completeProjectCalls({ entity: 'local', project: `${NAME}-new` }, { batch } as never);
    const page = await suite.open(`${BASE}-new`);
    const plot = (name: string) => page.getByRole('slider', { name, exact: true }).locator('svg');
    const bar = plot('Calls').locator('rect');
    await bar.waitFor();
    const [x, width] = await Promise.all(['x', 'width'].map(async (name) => Number(await bar.getAttribute(name))));
    // Of 1,000 that the chart is wide.
    expect(width).toBeGreaterThan(20);
    expect((x as number) + (width as number)).toBeLessThanOrEqual(1_000);
    const point = await plot('Latency').locator('path').nth(1).getAttribute('d');
    expect(Number(/^M([\d.]+) /.exec(point ?? '')?.[1])).toBeLessThan(1_000);
  });

  it('compares with the time before, and leads to what is counted', async () => {
    const page = await suite.open(`${BASE}?span=30d`);
    const failed = page.locator('dl > div', { has: page.getByText('Failed', { exact: true }) });
    await failed.getByText('%').waitFor();
    const slow = page.getByRole('region', { name: 'Slowest ops' });
    await slow.getByRole('link', { name: 'retrieve' }).waitFor();
    await page.getByRole('region', { name: 'Newest failures' }).getByText('TimeoutError: no answer').first().waitFor();
    await failed.getByRole('link').click();
    await page.waitForURL(/status=error/);
  });

  it('leads from a model to its calls, and from thumbs to those that got them', async () => {
    const page = await suite.open(`${BASE}?span=30d`);
    const spend = page.locator('figure', { has: page.getByRole('slider', { name: 'Spend by model' }) });
    await spend.getByRole('link', { name: 'gpt-4.1-mini' }).click();
    await page.waitForURL(/\/calls\?/);
    expect(new URL(page.url()).searchParams.get('q')).toMatch(/^started_at >= .* and model = "gpt-4\.1-mini"$/);
    await page.getByText('Question 1', { exact: true }).waitFor();
    expect(await page.getByText('Question 0', { exact: true }).count()).toBe(0);
    await page.goBack();
    const thumbs = page.locator('figure', { has: page.getByRole('slider', { name: 'Thumbs', exact: true }) });
    await thumbs.getByRole('link', { name: 'Down' }).click();
    await page.waitForURL(/\/calls\?/);
    expect(new URL(page.url()).searchParams.get('q')).toMatch(
      / and feedback has \(type = "hone\.reaction\.1" and emoji = "👎"\)$/,
    );
    await page.getByText('Question 1', { exact: true }).waitFor();
    expect(await page.getByText(/^Question \d+$/).count()).toBe(1);
  });

  it('says which time it shows where the address names none that there is', async () => {
    const page = await suite.open(`${BASE}?span=a-fortnight`);
    const time = page.getByLabel('Time', { exact: true });
    await time.waitFor();
    expect(await time.inputValue()).toBe('24h');
  });

  it('takes any two days, and keeps them in the address', async () => {
    const page = await suite.open(BASE);
    await page.getByLabel('Time', { exact: true }).selectOption('From – to …');
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('From', { exact: true }).fill(day(20));
    await page.getByLabel('To', { exact: true }).fill(day(11));
    await page.waitForURL(new RegExp(`${day(20)}\\.\\.${day(11)}`));
    const calls = page.locator('dl > div', { has: page.getByText('Calls', { exact: true }) });
    await calls.getByRole('link', { name: '40' }).waitFor();
    await page.reload();
    await calls.getByRole('link', { name: '40' }).waitFor();
    await suite.expectGoodForEveryone(page);
  });
});
