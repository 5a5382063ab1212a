import type { Page } from 'playwright-core';

import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeProject } from '../../testing/seeds/projects.fixture.js';

const PROJECT = 'local/conversation-spec';
const CALLS = `/console/p/${PROJECT}/calls`;
/** More than a page of model calls, each of which repeats all before it. */
const ROUNDS = 45;

describe('the conversation of a trace', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    const begin = Date.now() - 100_000;
    const at = (ms: number) => new Date(begin + ms).toISOString();
    const call = (trace_id: string, id: string, parent_id: string | null, from: number, more: object) => ({
      ...{ id, op_name: id, trace_id, parent_id, started_at: at(from), ended_at: at(from + 500) },
      ...{ attributes: {}, inputs: {}, output: null, summary: {}, ...more },
    });
    const question = { role: 'user', content: `How **high** is it? ${HOSTILE.script}` };
    const search = { id: 'c1', type: 'function', function: { name: 'search', arguments: '{"q":"height"}' } };
    const asks = { role: 'assistant', content: null, tool_calls: [search] };
    const result = { role: 'tool', tool_call_id: 'c1', content: '8,849 m' };
    const answer = { role: 'assistant', content: 'It is 8,849 m high.' };
    const agent = (id: string, parent: string | null, from: number, more: object) =>
      call('agent', id, parent, from, more);
    const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
      ...call('long', `round-${round}`, 'long-root', round * 10, {
        inputs: {
          messages: Array.from({ length: round + 1 }, (__, turn) => ({ role: 'user', content: `message ${turn}.` })),
        },
        output: { choices: [{ message: { role: 'assistant', content: `answer ${round}.` } }] },
      }),
    }));
    const batch = [
      // An agent's own call has all messages, too.
      agent('root', null, 0, { inputs: { messages: [question, asks, result] }, output: 'done' }),
      agent('first', 'root', 10, { inputs: { messages: [question] }, output: { choices: [{ message: asks }] } }),
      agent('search', 'root', 600, { inputs: { q: 'height' }, output: '8,849 m' }),
      agent('second', 'root', 700, {
        inputs: { messages: [question, asks, result] },
        output: { choices: [{ message: answer }] },
      }),
      agent('critic', 'root', 1_300, {
        inputs: { system: 'Judge it.', messages: [{ role: 'user', content: answer.content }] },
        output: { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Well said.' }] },
      }),
      agent('writer', 'root', 1_900, {
        inputs: { model: 'm', instructions: 'Write it down.', input: 'Now.' },
        output: {
          output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Written.' }] }],
        },
      }),
      call('long', 'long-root', null, 0, {}),
      ...rounds,
      call('silent', 'silent-root', null, 0, { inputs: { input: ['embed'] }, output: { data: [] } }),
    ];
    await hone.trace.completeProjectCalls({ entity: 'local', project: 'conversation-spec' }, { batch } as never);
  });

  const messages = (page: Page) => page.getByRole('region', { name: 'Messages of the trace' });

  it('has each message once, results beside the calls of tools, and leads to the calls', async () => {
    const page = await suite.open(`${CALLS}/root`);
    await page.getByRole('button', { name: 'Conversation', exact: true }).click();
    await page.waitForURL(/view=conversation/);
    await page.getByText('9 messages of 4 calls').waitFor();
    const texts = await messages(page).getByRole('listitem').allTextContents();
    expect(texts.map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^firstuserHow high is it\? <script>/),
      expect.stringMatching(/^assistant.*search\(\{"q":"height"\}\)Result8,849 m$/),
      expect.stringMatching(/^secondrepeats 2 messagesassistantIt is 8,849 m high\.$/),
      ...['criticsystemJudge it.', 'userIt is 8,849 m high.', 'assistantWell said.'],
      ...['writersystemWrite it down.', 'userNow.', 'assistantWritten.'],
    ]);
    await messages(page).locator('strong').getByText('high').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.locator('#trace-tree').getByRole('button', { name: 'As it was sent' }).click();
    await messages(page).getByText('**high**').waitFor();
    await page.getByRole('group', { name: 'Tool search' }).getByRole('button', { name: 'Result' }).click();
    await page.getByRole('heading', { name: 'second' }).waitFor();
    await messages(page).getByRole('button', { name: 'critic' }).click();
    await page.getByRole('heading', { name: 'critic' }).waitFor();
    await page.reload();
    await page.getByText('9 messages of 4 calls').waitFor();
    await page.getByRole('button', { name: 'Tree' }).click();
    await page.locator('[role=treeitem][aria-selected=true]').getByText('critic').waitFor();
  });

  it('reads calls as one scrolls, and shows only what is in sight', async () => {
    const page = await suite.open(`${CALLS}/long-root?view=conversation`);
    await page.getByText(/^40 messages of 20 calls, 25 more/).waitFor();
    expect(await messages(page).getByRole('listitem').count()).toBeLessThan(30);
    await messages(page).focus();
    const end = messages(page).getByText(`answer ${ROUNDS - 1}.`);
    while ((await end.count()) === 0) await page.keyboard.press('End');
    await end.waitFor();
    await page.getByText(`${2 * ROUNDS} messages of ${ROUNDS} calls`, { exact: true }).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('says where there is none', async () => {
    const page = await suite.open(`${CALLS}/silent-root?view=conversation`);
    await page.getByText('No messages in this trace').waitFor();
    await suite.expectGoodForEveryone(page);
  });
});
