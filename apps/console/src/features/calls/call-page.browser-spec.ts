import type { Page } from 'playwright-core';

import { untilCount } from '../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { seedRetrieval } from '../../testing/seeds/calls.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';
import { seedScorers } from '../../testing/seeds/scorers.fixture.js';

const PROJECT = 'local/call-page-spec';
const JUDGED = `local/${ownName('call-judged')}`;
const CALLS = `/console/p/${PROJECT}/calls`;
const PRICES = { prompt_token_cost: 0.001, completion_token_cost: 0.002 };
const ANSWER = [
  '## Cats',
  '- [a page](https://example.com/cats) and [a trap](javascript:alert(1))',
  '- ![a cat](https://images.example.com/cat.png)',
  '',
  '| legs |',
  '| --- |',
  '| four |',
].join('\n');
const MODEL = '0199aaaa-0000-7000-8000-000000000001';

describe('the page of a call', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [PROJECT, JUDGED]) await makeProject(hone, project);
    await seedRetrieval(hone, PROJECT);
    const at = new Date().toISOString();
    const inputs = {
      ...{ model: 'hone-tiny', temperature: 0.5 },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is 9 minus 4?' },
      ],
    };
    const chat = (id: string) => ({
      ...{ id, op_name: 'chat', trace_id: id, started_at: at, ended_at: at, inputs, summary: {} },
      ...{ output: { choices: [] }, attributes: { model_id: MODEL, step: 3 } },
    });
    const [entity = '', project = ''] = PROJECT.split('/');
    await hone.trace.completeProjectCalls({ entity, project }, { batch: [chat('chat-1'), chat('chat-2')] } as never);
    const place = { entity, project };
    const { object_id } = await hone.trace.createDataset(place, {
      ...{ name: ownName('questions'), rows: [{ q: 'first' }, { q: 'second' }] },
    } as never);
    const { rows } = await hone.trace.getDataset({ ...place, object_id, digest: 'v0' });
    const table = { project_id: PROJECT, digest: rows?.split('/').at(-1) as string };
    const row = (await hone.trace.queryTable(table)).rows[1]?.digest;
    const price = { ...PRICES, effective_date: at };
    await hone.trace.createCosts({ project_id: PROJECT, costs: { 'dear-model': price } });
    const formatted = {
      ...{ id: ownName('formatted'), op_name: 'formatted', trace_id: 'formatted', started_at: at, ended_at: at },
      attributes: {},
      inputs: {
        example: `hone:///${PROJECT}/object/${object_id}:v0/attr/rows/id/${row}`,
        messages: [{ role: 'user', content: `Tell me of **cats** ${HOSTILE.script}` }],
      },
      output: { choices: [{ message: { role: 'assistant', reasoning: 'They ask of cats.', content: ANSWER } }] },
      summary: { usage: { 'dear-model': { prompt_tokens: 1_000, completion_tokens: 500, requests: 1 } } },
    };
    await hone.trace.completeProjectCalls({ entity, project }, { batch: [formatted] } as never);
  });

  const selected = (page: Page) => page.locator('[role=treeitem][aria-selected=true]');
  const leftOf = async (page: Page, name: string) => {
    const bar = page.getByRole('treeitem').filter({ hasText: name }).locator('i');
    return bar.evaluate((element) => parseFloat((element as HTMLElement).style.left));
  };

  it('shows a chat formatted, what it cost, and the row that it was asked', async () => {
    const page = await suite.open(`${CALLS}/${ownName('formatted')}`);
    const chat = page.getByRole('list', { name: 'Conversation' });
    await chat.locator('strong').getByText('cats').waitFor();
    await chat.getByText(HOSTILE.script).waitFor();
    await chat.getByRole('cell', { name: 'four' }).waitFor();
    // Of all links there is one that leads anywhere, and no image is loaded unasked.
    const link = chat.getByRole('link');
    expect(await link.count()).toBe(1);
    expect(await link.getAttribute('rel')).toContain('noopener');
    expect(await chat.getByRole('img').count()).toBe(0);
    await chat.getByRole('button', { name: 'Show image of images.example.com' }).click();
    expect(await chat.getByRole('img').count()).toBe(0);
    await chat.getByText('Reasoning').click();
    await chat.getByText('They ask of cats.').waitFor();
    await page.getByText('1.5K · dear-model').or(page.getByText('1,500 · dear-model')).waitFor();
    await page.getByText('$2.00', { exact: true }).waitFor();
    expect(await page.title()).toBe('Hone');
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'As it was sent' }).click();
    await chat.getByText('## Cats').waitFor();
    await page.getByRole('link', { name: /^row of / }).click();
    await page.getByRole('complementary', { name: 'Row 1' }).getByText('second').waitFor();
  });

  it('takes a rating with tags, and shows what was said before', async () => {
    const page = await suite.open(`${CALLS}/chat-1`);
    await page.getByRole('button', { name: 'Rate' }).click();
    await page.getByLabel('Rating').fill('0.25');
    await page.getByLabel('Tags').fill('rude, off topic');
    await suite.expectGoodForEveryone(page);
    await page.keyboard.press('Enter');
    const said = page.getByRole('listitem').filter({ hasText: 'review: review 0.3, rude, off topic' }).last();
    await said.waitFor();
    const condition = { $eq: [{ $getField: 'feedback_type' }, { $literal: 'review' }] };
    const { result } = await suite.hone.trace.queryFeedback({ project_id: PROJECT, query: { $expr: condition } });
    const record = result.at(-1);
    expect(record).toMatchObject({ scorer_ratings: { review: 0.25 }, scorer_tags: ['rude', 'off topic'] });
    await suite.hone.trace.replaceFeedback({
      ...{ project_id: PROJECT, feedback_id: record?.id ?? '', feedback_type: 'review', payload: {} },
      ...{ trace_ref: `hone:///${PROJECT}/call/chat-1`, scorer_tags: ['mistaken'] },
    });
    await page.reload();
    const after = page.getByRole('listitem').filter({ hasText: 'review: mistaken' }).first();
    await after.getByRole('button', { name: 'Earlier versions' }).click();
    await after.getByText('rude, off topic').waitFor();
  });

  it('leads to the siblings of the call, and knows the first and the last', async () => {
    const page = await suite.open(`${CALLS}/answer_question?call=search`);
    const before = page.getByRole('button', { name: 'Previous sibling' });
    const after = page.getByRole('button', { name: 'Next sibling' });
    await after.click();
    await selected(page).getByText('generate').waitFor();
    expect([await before.isDisabled(), await after.isDisabled()]).toEqual([false, true]);
    await before.click();
    await selected(page).getByText('search').waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('zooms into the time of the trace, by buttons and by keys, and keeps that over a reload', async () => {
    const page = await suite.open(`${CALLS}/answer_question?call=generate`);
    await selected(page).waitFor();
    const whole = await leftOf(page, 'generate');
    await page.getByRole('button', { name: 'Fit the selected call' }).click();
    await page.waitForURL(/zoom=/);
    expect(whole).toBeGreaterThan(30);
    expect(await leftOf(page, 'generate')).toBeLessThan(10);
    await page.reload();
    await selected(page).waitFor();
    expect(await leftOf(page, 'generate')).toBeLessThan(10);
    await suite.expectGoodForEveryone(page);
    await page.getByRole('tree').press('0');
    await page.getByRole('button', { name: 'Fit the whole trace' }).and(page.locator(':disabled')).waitFor();
    expect(await leftOf(page, 'generate')).toBe(whole);
    await page.getByRole('tree').press('+');
    await page.getByText('25.0 % to 75.0 %').waitFor();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.getByText('25.0 % to 75.0 %').waitFor({ state: 'detached' });
  });

  it('copies the request of a model call as code, as it was sent', async () => {
    const page = await suite.open(`${CALLS}/chat-1`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = async (label: string) => {
      const button = page.getByRole('group', { name: 'Copy the request as' }).getByRole('button', { name: label });
      await button.click();
      await button.locator('svg.lucide-check').waitFor();
      return (await page.evaluate('navigator.clipboard.readText()')) as string;
    };
    const curl = await copy('curl');
    expect(curl).toContain(`/v1/chat/completions' \\\n  -H "Authorization: Bearer $HONE_API_KEY"`);
    expect(curl).toContain(`-H 'Hone-Project: ${PROJECT}'`);
    expect(curl).toContain('"content": "What is 9 minus 4?"');
    expect(await copy('Python')).toContain('    temperature=0.5,');
    expect(await copy('TypeScript')).toContain('model: "hone-tiny"');
    await suite.expectGoodForEveryone(page);
  });

  it('leads to the other calls of its op, the weights that answered, and the playground', async () => {
    const page = await suite.open(`${CALLS}/chat-1`);
    const model = page.getByRole('link', { name: 'step 3 of a trained model' });
    expect(await model.getAttribute('href')).toBe(`/console/p/${PROJECT}/training/models/${MODEL}`);
    await page.getByText('Training data with this call').click();
    await page.getByText('No model has learned from it.').waitFor();
    await page.getByText('Other calls of chat').click();
    await untilCount(page.locator('details li'), 2);
    await suite.expectGoodForEveryone(page);
    await page.locator('details li a:not([aria-current])').click();
    await page.waitForURL(/\/chat-2$/);
    await page.getByText('Other calls of chat').click();
    await page.getByRole('link', { name: 'All of them' }).click();
    await page.waitForURL(/op=chat/);
    await untilCount(page.locator('[role=row][aria-rowindex]'), 2);
    await page.goBack();
    await page.getByRole('link', { name: 'Open in the playground' }).click();
    await page.getByLabel('Message').and(page.getByText('What is 9 minus 4?')).waitFor();
    expect(await page.getByLabel('System prompt').inputValue()).toBe('Be brief.');
    expect(await page.getByRole('combobox', { name: /^Model/ }).inputValue()).toBe('hone-tiny');
    expect(await page.getByLabel('Temperature').inputValue()).toBe('0.5');
  });

  it('is judged by a scorer, whose version, verdict and reason it shows', async () => {
    const { check, judge } = await seedScorers(suite.hone, JUDGED);
    const [entity = '', project = ''] = JUDGED.split('/');
    const definition = { kind: 'check' as const, check: { check: 'contains' as const, value: 'on its way' } };
    await suite.hone.trace.createScorer({ entity, project }, { name: 'says thanks', definition });
    const page = await suite.open(`/console/p/${JUDGED}/calls/reply-1`);
    const feedback = page.getByRole('region', { name: 'Feedback' });
    const verdicts = feedback.getByRole('listitem').filter({ hasText: 'says thanks' });
    await verdicts.filter({ hasText: 'says thanks v0' }).getByText('failed').waitFor();
    await page.getByLabel('Judge it with').selectOption(check);
    await page.getByRole('button', { name: 'Judge it' }).click();
    await page.getByText('Judged.').waitFor();
    await verdicts.filter({ hasText: 'says thanks v1' }).getByText('passed').waitFor();
    await page.getByRole('button', { name: 'Judge it' }).click();
    await page.getByText('This version has judged it before').waitFor();
    await page.getByLabel('Judge it with').selectOption(judge);
    await page.getByRole('button', { name: 'Judge it' }).click();
    const opinion = feedback.getByRole('listitem').filter({ hasText: 'helpful judge v0' });
    await opinion.getByText(/^helpful [1-5]$/).waitFor();
    await suite.expectGoodForEveryone(page);
    await opinion.getByRole('link', { name: 'helpful judge v0' }).click();
    await page.getByRole('heading', { name: 'helpful judge' }).waitFor();
    await page.getByLabel('Version').locator('option:checked', { hasText: 'v0' }).waitFor({ state: 'attached' });
  });
});
