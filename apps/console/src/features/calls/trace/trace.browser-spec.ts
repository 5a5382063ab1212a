import type { Page } from 'playwright-core';

import { ConsoleSuite } from '../../../testing/console-suite.fixture.js';
import { HOSTILE } from '../../../testing/seeds/hostile.fixture.js';
import { makeProject } from '../../../testing/seeds/projects.fixture.js';

const PROJECT = 'local/trace-spec';
const CALLS = `/console/p/${PROJECT}/calls`;
const LONG_NAME = 'openai.resources.chat.completions.create';
const PRICE = { prompt_token_cost: 0.001, completion_token_cost: 0.002 };
const TRACEBACK = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    raise  ValueError';

describe('the tree of a trace', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    const begin = Date.now() - 10_000;
    const at = (ms: number) => new Date(begin + ms).toISOString();
    const used = (model: string, prompt: number, completion: number) => ({
      summary: { usage: { [model]: { prompt_tokens: prompt, completion_tokens: completion, requests: 1 } } },
    });
    const call = (id: string, parent_id: string | null, from: number, more: object = {}) => ({
      ...{ id, op_name: id, trace_id: 'agent', parent_id, started_at: at(from), ended_at: at(from + 500) },
      ...{ attributes: {}, inputs: { text: '12', number: 12 }, output: null, summary: {}, ...more },
    });
    const price = { ...PRICE, effective_date: at(-1_000) };
    await hone.trace.createCosts({ project_id: PROJECT, costs: { dear: price } });
    await hone.trace.completeProjectCalls({ entity: 'local', project: 'trace-spec' }, {
      batch: [
        call('root', null, 0),
        call('plan', 'root', 10, { op_name: LONG_NAME, ...used('dear', 1_000, 500) }),
        call('act', 'root', 600),
        call('answer', 'act', 650, { display_name: HOSTILE.word.slice(0, 1_000), ...used('cheap-unknown', 30, 4) }),
        call('break', 'act', 700, { exception: TRACEBACK }),
      ],
    } as never);
  });

  const item = (page: Page, name: string) => page.getByRole('treeitem').filter({ hasText: name });
  const widthOf = (page: Page) => page.locator('#trace-tree').evaluate((tree) => tree.getBoundingClientRect().width);

  it('says what each call used with those below it, and the trace in all', async () => {
    const page = await suite.open(`${CALLS}/root`);
    const inAll = page.getByRole('group', { name: 'The trace in all' });
    await inAll.getByText('5 calls · 1,534 tokens · $2.00 · 2 models').waitFor();
    await item(page, LONG_NAME).getByText('dear · 1,500 tokens · $2.00').waitFor();
    await item(page, 'act').getByText('cheap-unknown · 34 tokens', { exact: true }).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('marks calls above a failure, leads to it, and shows its traceback as it was written', async () => {
    const page = await suite.open(`${CALLS}/root`);
    await item(page, 'root').getByRole('img', { name: 'error below' }).waitFor();
    await item(page, 'act').getByRole('img', { name: 'error below' }).waitFor();
    await item(page, LONG_NAME).getByRole('img', { name: 'ended well' }).waitFor();
    await page.getByRole('button', { name: '1 failed' }).click();
    const traceback = page.locator('pre').filter({ hasText: 'Traceback' });
    await traceback.waitFor();
    expect(await traceback.textContent()).toBe(TRACEBACK);
    const fontOf = (element: Element) => getComputedStyle(element).fontFamily;
    expect(await traceback.evaluate(fontOf)).toContain('monospace');
  });

  it('keeps the end of long names, and shows all of them as tooltips', async () => {
    const page = await suite.open(`${CALLS}/root`);
    const name = item(page, LONG_NAME).getByTitle(LONG_NAME);
    const end = name.locator('span').last();
    expect(await end.textContent()).toBe('tions.create');
    const isShown = (element: Element) => element.scrollWidth <= element.clientWidth;
    expect(await end.evaluate(isShown)).toBe(true);
    await page.getByRole('separator', { name: 'Width of the tree' }).press('End');
    expect(await name.locator('span').first().evaluate(isShown)).toBe(true);
  });

  it('is made wider by keys and by dragging, and stays so', async () => {
    const page = await suite.open(`${CALLS}/root`);
    const handle = page.getByRole('separator', { name: 'Width of the tree' });
    await handle.waitFor();
    const before = await widthOf(page);
    await handle.press('ArrowRight');
    expect(await handle.getAttribute('aria-valuenow')).toBe('47');
    expect(await widthOf(page)).toBeGreaterThan(before);
    const box = (await handle.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(box.x + 5, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x - 100, box.y + 200);
    await page.mouse.up();
    const dragged = await widthOf(page);
    expect(dragged).toBeLessThan(before);
    await page.reload();
    await handle.waitFor();
    expect(await widthOf(page)).toBe(dragged);
    await handle.press('Home');
    expect(await handle.getAttribute('aria-valuenow')).toBe('20');
    await suite.expectGoodForEveryone(page);
    await handle.dblclick();
    expect(await widthOf(page)).toBe(before);
  });

  it('shows texts of values in quotes, so that they differ from numbers', async () => {
    const page = await suite.open(`${CALLS}/root`);
    const value = page.getByRole('group', { name: 'Inputs' }).getByText('12', { exact: true });
    await value.last().waitFor();
    const quoteOf = (element: Element) => getComputedStyle(element, '::before').content;
    expect(await value.first().evaluate(quoteOf)).toContain('"');
    expect(await value.last().evaluate(quoteOf)).toBe('none');
  });
});
