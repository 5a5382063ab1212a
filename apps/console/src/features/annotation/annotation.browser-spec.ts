import type { Hone } from '@hone/client';

import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { CRITERIA, rate, type SeededQueue, seedQueue } from '../../testing/seeds/annotation.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';
import { seedThread } from '../../testing/seeds/threads.fixture.js';

const PROJECT = `local/${ownName('annotation')}`;
const EMPTY = `local/${ownName('annotation-empty')}`;
const BASE = `/console/p/${PROJECT}`;
const WORD_OF = 'hone.annotation.quality';

describe('annotation', () => {
  let judged: SeededQueue;
  let worked: SeededQueue;
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [PROJECT, EMPTY]) await makeProject(hone, project);
    judged = await seedQueue(hone, PROJECT, 'judged');
    worked = await seedQueue(hone, PROJECT, 'worked');
    await rate(hone, PROJECT, judged, [1, 4]);
  });

  const feedbackOn = async (hone: Hone, callId: string) => {
    const condition = { $eq: [{ $getField: 'trace_ref' }, { $literal: `hone:///${PROJECT}/call/${callId}` }] };
    const { result } = await hone.trace.queryFeedback({ project_id: PROJECT, query: { $expr: condition } } as never);
    return result
      .map(({ feedback_type, payload, queue_id }) => ({ feedback_type, payload, queue_id }))
      .sort((a, b) => ((a.feedback_type ?? '') < (b.feedback_type ?? '') ? -1 : 1));
  };

  it('is worked through by keys alone', async () => {
    const page = await suite.open(`${BASE}/annotation/${worked.queue}/work`);
    await page.getByRole('article', { name: 'Call to judge' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    // The page takes no key while a dialog is open.
    await page.keyboard.press('s');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.getByText(`Answer “${CRITERIA.scale}” first`).waitFor();
    await page.keyboard.press('4');
    await page.keyboard.press('2');
    await page.keyboard.press('n');
    // A field keeps its keys.
    await page.keyboard.type('s1 said');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('1 done now').waitFor();
    await page.getByRole('article', { name: 'Call to judge' }).waitFor();
    const said = await feedbackOn(suite.hone, worked.callIds[0] as string);
    expect(said).toEqual([
      { feedback_type: WORD_OF, payload: { value: 5 }, queue_id: worked.queue },
      { feedback_type: 'hone.annotation.safe', payload: { value: false }, queue_id: worked.queue },
      { feedback_type: 'hone.note.1', payload: { note: 's1 said' }, queue_id: worked.queue },
    ]);
    await page.keyboard.press('s');
    await page.getByText('2 done now').waitFor();
    await page.getByRole('article', { name: 'Call to judge' }).waitFor();
    expect(await feedbackOn(suite.hone, worked.callIds[1] as string)).toEqual([]);

    // What fails is put back, as it was, and stored once when it is tried again.
    await page.route('**/progress', (route) =>
      route.fulfill({ status: 409, json: { detail: 'Somebody was faster.', code: 'annotation.reviewers_full' } }),
    );
    await page.getByRole('radio', { name: '3', exact: true }).check();
    await page.getByRole('radio', { name: 'yes' }).check();
    await page.getByLabel('Note').fill('kept');
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('Somebody was faster.').waitFor();
    await page.getByText('annotation.reviewers_full').waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('kept');
    expect(await page.getByRole('radio', { name: '3', exact: true }).isChecked()).toBe(true);
    await page.unroute('**/progress');
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('Nothing is left for you').waitFor();
    expect(await feedbackOn(suite.hone, worked.callIds[2] as string)).toHaveLength(3);
  });

  it('counts no key that was typed before the item was shown, nor those that belong to it', async () => {
    const { callIds } = await seedQueue(suite.hone, PROJECT, 'hasty', 2);
    const page = await suite.open(`${BASE}/annotation`);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    // The next item, which is claimed while the first one is judged.
    await page.route('**/claim', async (route) => {
      if (route.request().postData()?.includes('"besides_item_id":"')) await held;
      await route.continue();
    });
    await page
      .getByRole('row', { name: /^hasty/ })
      .getByRole('link', { name: 'Annotate' })
      .click();
    await page.getByRole('article', { name: 'Call to judge' }).waitFor();
    await page.keyboard.type('42');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('keys count once it is shown').waitFor();
    await page.keyboard.type('3');
    release();
    const note = page.getByRole('status').filter({ hasText: 'not counted' });
    await note.getByText('3', { exact: true }).waitFor();
    await page.keyboard.type('1s');
    await note.getByText('S', { exact: true }).waitFor();
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
    await suite.expectGoodForEveryone(page);
    await page.keyboard.press('Enter');
    await note.waitFor({ state: 'detached' });
    await page.keyboard.type('51');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is left for you').waitFor();
    const judged = await Promise.all(callIds.map((id) => feedbackOn(suite.hone, id)));
    expect(judged.map((said) => said.map(({ payload }) => payload))).toEqual([
      [{ value: 4 }, { value: false }],
      [{ value: 5 }, { value: true }],
    ]);
  });

  it('shows the next item at once, and goes back to the one before', async () => {
    const { queue, callIds } = await seedQueue(suite.hone, PROJECT, 'quick', 3);
    const page = await suite.open(`${BASE}/annotation/${queue}/work`);
    await page.getByRole('article', { name: 'Call to judge' }).waitFor();
    await page.getByText('0 of 3', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    // As fast as keys come: each belongs to the item that is shown when it is pressed.
    await page.keyboard.type('42');
    await page.keyboard.press('Enter');
    await page.keyboard.type('5');
    await page.getByText('1 of 3', { exact: true }).waitFor();
    expect(await page.getByRole('radio', { name: '5', exact: true }).isChecked()).toBe(true);
    await page.keyboard.press('b');
    await page.getByText('You have completed this item').waitFor();
    expect(await page.getByRole('radio', { name: '4', exact: true }).isChecked()).toBe(true);
    await suite.expectGoodForEveryone(page);
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.getByText('You have completed this item').waitFor({ state: 'detached' });
    // What was said of the other one before is still there.
    expect(await page.getByRole('radio', { name: '5', exact: true }).isChecked()).toBe(true);
    await page.keyboard.press('s');
    await page.getByText('2 of 3', { exact: true }).waitFor();
    await page.keyboard.press('b');
    await page.getByText('You have skipped this item').waitFor();
    await page.keyboard.press('f');
    await page.getByRole('button', { name: 'Complete' }).waitFor();
    const judged = await Promise.all(callIds.map((id) => feedbackOn(suite.hone, id)));
    const values = (at: number) => judged[at]?.map(({ payload }) => (payload as { value: unknown }).value);
    expect(values(0)?.toSorted()).toEqual([1, 4, false]);
    expect(values(1)).toEqual([]);
  });

  it('shows Markdown formatted, and the conversation around a call', async () => {
    const ids = await seedThread(suite.hone, PROJECT, 'talk');
    const { queue } = await seedQueue(suite.hone, PROJECT, 'around', 1);
    const [entity = '', project = ''] = PROJECT.split('/');
    const now = new Date().toISOString();
    const marked = {
      id: 'marked',
      op_name: 'ask',
      trace_id: 'marked',
      parent_id: null,
      started_at: now,
      ended_at: now,
    };
    const values = { attributes: {}, summary: {}, inputs: { question: 'Is **this** bold?' }, output: '- one\n- two' };
    await suite.hone.trace.completeProjectCalls({ entity, project }, { batch: [{ ...marked, ...values }] } as never);
    for (const call_ids of [[ids[1] as string], ['marked']])
      await suite.hone.trace.addAnnotationQueueItems({ queue_id: queue }, { project_id: PROJECT, call_ids });
    const page = await suite.open(`${BASE}/annotation/${queue}/work`);
    const call = page.getByRole('article', { name: 'Call to judge' });
    await call.waitFor();
    await page.keyboard.press('s');
    await call.getByRole('list', { name: 'Conversation' }).waitFor();
    await page.keyboard.press('c');
    const turns = call.getByRole('list', { name: 'Turns' });
    await turns.getByText('I cannot sign in.').first().waitFor();
    expect(await turns.locator('li[aria-current]').getByText('the one to judge').count()).toBe(1);
    await suite.expectGoodForEveryone(page);
    await page.keyboard.press('s');
    await call.locator('strong').getByText('this').waitFor();
    expect(await call.getByRole('listitem').allTextContents()).toEqual(['one', 'two']);
    await suite.expectGoodForEveryone(page);
  });

  it('shows a reviewer where annotators disagree, and asks again', async () => {
    const key = await makeMember(suite.hone, 'judge-two', 'annotator');
    await rate(suite.as(key), PROJECT, judged, [2, 4]);
    const page = await suite.open(`${BASE}/annotation/${judged.queue}`);
    const review = page.getByRole('region', { name: CRITERIA.scale });
    await review.getByText('2 rated by 2 annotators').waitFor();
    await review.getByText('1 with different ratings').waitFor();
    await review.getByText('admin: 1').waitFor();
    await review.getByText('judge-two: 2').waitFor();
    await suite.expectGoodForEveryone(page);
    await review
      .getByRole('listitem')
      .filter({ hasText: 'judge-two' })
      .getByRole('button', { name: 'Ask again' })
      .click();
    await page.getByLabel('Why').fill('The guideline has changed.');
    await page.getByRole('button', { name: 'Reopen the item' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // It is theirs to claim again.
    const work = await suite.open(`${BASE}/annotation/${judged.queue}/work`, key);
    await work.getByRole('article', { name: 'Call to judge' }).waitFor();
    await suite.expectGoodForEveryone(work);
  });

  it('shows queues with their progress, and makes one with criteria of its own', async () => {
    const page = await suite.open(`${BASE}/annotation`);
    await page.getByRole('link', { name: 'judged', exact: true }).waitFor();
    await page
      .getByRole('row', { name: /^judged/ })
      .getByText('2 of 3')
      .waitFor();
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'New queue' }).click();
    await page.getByLabel('Name', { exact: true }).fill('by hand');
    await page.getByRole('checkbox', { name: CRITERIA.scale }).check();
    await page.getByRole('button', { name: 'Add a criterion' }).click();
    await page.getByLabel('Name', { exact: true }).nth(1).fill('Tone of voice');
    await page.getByLabel('Answer').selectOption('choices');
    await page.getByLabel('Choices, separated by commas').fill('warm, cold');
    await page.getByRole('button', { name: 'Make the queue' }).click();
    await page.getByRole('heading', { name: 'by hand', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Tone of voice' }).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('has people choose between two answers to the same, whichever stands first', async () => {
    const at = new Date().toISOString();
    const call = (id: string, asked: string, answer: string) => ({
      ...{
        id,
        op_name: 'chat',
        trace_id: id,
        parent_id: null,
        started_at: at,
        ended_at: at,
        attributes: {},
        summary: {},
      },
      ...{ inputs: { messages: [{ role: 'user', content: asked }] } },
      output: { choices: [{ message: { role: 'assistant', content: answer } }] },
    });
    const batch = [
      ...[call('pair-a', 'The opposite of hot?', 'cold'), call('pair-b', 'The opposite of hot?', 'I do not know.')],
      ...[call('pair-c', 'The opposite of wet?', 'dry'), call('pair-d', 'The opposite of wet?', 'It is dry.')],
    ];
    const [entity = '', project = ''] = PROJECT.split('/');
    await suite.hone.trace.completeProjectCalls({ entity, project }, { batch } as never);
    const { queue } = await seedQueue(suite.hone, PROJECT, 'in-pairs', 1);
    const call_ids = batch.map(({ id }) => id);
    await suite.hone.trace.addAnnotationQueueItems({ queue_id: queue }, { project_id: PROJECT, call_ids });

    const page = await suite.open(`${BASE}/annotation/${queue}`);
    await page.getByRole('button', { name: 'Compare answers' }).click();
    await page.getByRole('region', { name: 'Asked' }).getByText('The opposite of hot?').waitFor();
    await page.getByText('0 chosen now, 2 left').waitFor();
    await suite.expectGoodForEveryone(page);
    const isLeft = await page.getByRole('article', { name: 'Left answer' }).getByText('cold').isVisible();
    await page.keyboard.press(isLeft ? '1' : '2');
    await page.getByText('1 chosen now, 1 left').waitFor();
    await page.getByRole('region', { name: 'Asked' }).getByText('The opposite of wet?').waitFor();
    await page.keyboard.press('s');
    await page.getByText('No pair is left').waitFor();
    await suite.expectGoodForEveryone(page);
    const ref = (id: string) => `hone:///${PROJECT}/call/${id}`;
    expect(await feedbackOn(suite.hone, 'pair-a')).toEqual([
      {
        ...{ feedback_type: 'hone.preference.1', queue_id: null },
        payload: { chosen: ref('pair-a'), rejected: ref('pair-b') },
      },
    ]);
    // What was skipped is asked again, what was judged is not.
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByRole('region', { name: 'Asked' }).getByText('The opposite of wet?').waitFor();
    await page.getByText('1 chosen now, 1 left').waitFor();
  });

  it('shows an empty project how a queue is made, and a reader no control', async () => {
    const page = await suite.open(`/console/p/${EMPTY}/annotation`);
    await page.getByText('No queues yet').waitFor();
    await suite.expectGoodForEveryone(page);
    const key = await makeMember(suite.hone, 'judge-reader', 'reader');
    const reading = await suite.open(`${BASE}/annotation`, key);
    await reading.getByRole('link', { name: 'judged', exact: true }).waitFor();
    expect(await reading.getByRole('button', { name: 'New queue' }).count()).toBe(0);
    expect(await reading.getByRole('link', { name: 'Annotate', exact: true }).count()).toBe(0);
    await reading.goto(`${new URL(reading.url()).origin}${BASE}/annotation/${judged.queue}/work`);
    await reading.getByText('Your role lets you look, not judge').waitFor();
  });
});
