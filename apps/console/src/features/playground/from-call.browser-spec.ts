import type { Page } from 'playwright-core';

import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('from-call')}`;
const CALL = ownName('with everything');
const TOOL = { type: 'function', function: { name: 'add', parameters: { type: 'object' }, strict: true } };
/** So large that the page does not hold it until it is needed. */
const IMAGE = `data:image/png;base64,${'A'.repeat(400_000)}`;
const INPUTS = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: IMAGE } },
      ],
    },
    {
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '2' },
    { role: 'user', content: 'And now?' },
  ],
  ...{ temperature: 0.5, tools: [TOOL], tool_choice: 'none', stop: ['x'] },
  response_format: { type: 'json_schema', json_schema: { name: 'sum', strict: true, schema: { type: 'object' } } },
};

describe('a call that is opened in the playground', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    const [entity = '', project = ''] = PROJECT.split('/');
    const at = new Date().toISOString();
    const call = {
      ...{ id: CALL, op_name: 'chat', trace_id: CALL, started_at: at, ended_at: at, attributes: {}, summary: {} },
      ...{ inputs: { model: 'gone/model', n: 2, ...INPUTS }, output: { choices: [] } },
    };
    await hone.trace.completeProjectCalls({ entity, project }, { batch: [call] } as never);
  });

  const open = async (): Promise<Page> => {
    const page = await suite.open(`/console/p/${PROJECT}/calls/${encodeURIComponent(CALL)}`);
    await page.getByRole('link', { name: 'Open in the playground' }).click();
    await page.getByLabel('Message').and(page.getByText('And now?')).waitFor();
    return page;
  };
  const choose = (page: Page) => page.getByRole('combobox', { name: /^Model/ }).selectOption('hone-tiny');
  const send = async (page: Page): Promise<unknown> => {
    const asked = page.waitForRequest('**/v1/chat/completions');
    await page.getByRole('button', { name: 'Send' }).click();
    return (await asked).postDataJSON();
  };

  it('asks another model all of the same, once the one that is gone is replaced', async () => {
    const page = await open();
    await page.getByText('The gateway has no model gone/model.').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    expect(await page.getByRole('list', { name: 'Not taken over' }).innerText()).toMatch(/^n: /);
    await page.getByText('Show', { exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'add({"a":1})' }).waitFor();
    expect(await page.getByLabel('Tools that the model may call').inputValue()).toContain('"strict": true');
    await suite.expectGoodForEveryone(page);
    await choose(page);
    await page.getByText('The gateway has no model').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByLabel('Message').and(page.getByText('And now?')).waitFor();
    expect(await send(page)).toEqual({ ...INPUTS, model: 'hone-tiny', stream: true });
  });

  it('asks without the messages and settings that somebody took away', async () => {
    const page = await open();
    await choose(page);
    await page.getByRole('button', { name: 'Drop them' }).click();
    await page.getByLabel('Tools that the model may call').fill('');
    await page.getByLabel('Schema that the answer obeys').fill('');
    await page.getByLabel('Other parameters, as JSON').fill('{}');
    await page.getByLabel('Message').fill('repeat: cat');
    const messages = [INPUTS.messages[0], { role: 'user', content: 'repeat: cat' }];
    expect(await send(page)).toEqual({ model: 'hone-tiny', stream: true, temperature: 0.5, messages });
    await page.getByRole('button', { name: 'Good answer' }).waitFor();
  });

  it('is not there any more, which the playground says', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/playground?call=gone`);
    await page.getByText('There is no such call').waitFor();
    await page.getByRole('link', { name: 'Begin without it' }).click();
    await page.getByLabel('Message').waitFor();
  });
});
