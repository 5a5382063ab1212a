import type { Page } from 'playwright-core';

import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('from-call')}`;
const CALL = ownName('with everything');
const FAILED = ownName('that failed');
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
/** Calls of other APIs, whatever has traced them. */
const [RESPONSE, MESSAGE] = [ownName('of Responses'), ownName('of Messages')];
const ASKED_RESPONSE = {
  ...{ instructions: 'Be brief.', temperature: 0.5, max_output_tokens: 20 },
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is it?' },
        { type: 'input_image', image_url: IMAGE },
      ],
    },
    { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":1}' },
    { type: 'function_call_output', call_id: 'c1', output: '2' },
    { role: 'user', content: 'And now?' },
  ],
  tools: [{ type: 'function', name: 'add', parameters: { type: 'object' }, strict: true }],
  text: { format: { type: 'json_schema', name: 'sum', strict: true, schema: { type: 'object' } } },
};
const ASKED_MESSAGE = {
  ...{ system: 'Be brief.', max_tokens: 20, stop_sequences: ['x'] },
  messages: [
    { role: 'user', content: 'What is it?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '2' }] },
    { role: 'user', content: 'And now?' },
  ],
  tools: [{ name: 'add', input_schema: { type: 'object' } }],
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
    const failed = {
      ...{ ...call, id: FAILED, trace_id: FAILED, exception: 'ValueError: no repetition' },
      inputs: {
        model: 'hone-tiny',
        messages: [
          { role: 'system', content: 'You are silent.' },
          { role: 'user', content: 'repeat: cat' },
        ],
      },
    };
    const of = (id: string) => ({ ...call, id, trace_id: id });
    const response = { ...of(RESPONSE), inputs: { model: 'hone-tiny', ...ASKED_RESPONSE }, output: { output: [] } };
    const message = { ...of(MESSAGE), inputs: { model: 'hone-tiny', ...ASKED_MESSAGE }, output: { type: 'message' } };
    await hone.trace.completeProjectCalls({ entity, project }, { batch: [call, failed, response, message] } as never);
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

  it.each([
    ['Responses', RESPONSE, '/v1/responses', ASKED_RESPONSE],
    ['Messages', MESSAGE, '/v1/messages', ASKED_MESSAGE],
  ])('asks all of the same through its own API: %s', async (label, id, path, asked) => {
    const page = await suite.open(`/console/p/${PROJECT}/calls/${encodeURIComponent(id)}`);
    await page.getByRole('link', { name: 'Open in the playground' }).click();
    await page.getByLabel('Message').and(page.getByText('And now?')).waitFor();
    expect(await page.getByRole('combobox', { name: 'API' }).locator('option:checked').innerText()).toBe(label);
    expect(await page.getByLabel('System prompt').inputValue()).toBe('Be brief.');
    expect(await page.getByRole('list', { name: 'Not taken over' }).count()).toBe(0);
    const request = page.waitForRequest(`**${path}`);
    await page.getByRole('button', { name: 'Send' }).click();
    expect((await request).postDataJSON()).toEqual({ model: 'hone-tiny', stream: true, ...asked });
  });

  it('has the images that the gateway keeps apart from its chats', async () => {
    const bytes = Buffer.alloc(1_200, 'cat');
    const url = `data:image/png;base64,${bytes.toString('base64')}`;
    const content = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url } },
    ];
    const file = new FormData();
    file.append('project_id', PROJECT);
    file.append('file', new Blob([bytes]), 'cat.png');
    const { digest } = await suite.hone.trace.createFile(file);
    const [entity = '', project = ''] = PROJECT.split('/');
    const [id, at] = [ownName('with a file'), new Date().toISOString()];
    const kept = JSON.parse(
      JSON.stringify(content).replace(url, `hone:///${PROJECT}/file/${digest}?type=image/png`),
    ) as object[];
    const call = {
      ...{ id, op_name: 'chat', trace_id: id, started_at: at, ended_at: at, attributes: {}, summary: {}, output: {} },
      inputs: { model: 'hone-tiny', messages: [{ role: 'user', content: kept }] },
    };
    await suite.hone.trace.completeProjectCalls({ entity, project }, { batch: [call] } as never);
    const page = await suite.open(`/console/p/${PROJECT}/playground?call=${encodeURIComponent(id)}`);
    await page.getByRole('button', { name: 'Edit it' }).waitFor();
    expect(await send(page)).toMatchObject({ messages: [{ role: 'user', content }] });
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

  it('has each of its messages edited, moved, inserted and removed before it is asked again', async () => {
    const page = await open();
    await choose(page);
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await click('Edit them');
    await suite.expectGoodForEveryone(page);
    await page.getByLabel('Content of message 1, as JSON').waitFor({ state: 'detached' });
    await page.getByText('It is kept as it is.').waitFor();
    await page.getByLabel('Text of message 3').fill('3');
    await click('Insert a message before message 1');
    await click('Remove message 1');
    await click('Add a message');
    await page.getByLabel('Text of message 4').fill('So it is 3.');
    await click('Move message 4 up');
    await click('Move message 3 down');
    await page.getByText('Other members of the message').last().click();
    await page.getByLabel('Other members of message 3, as JSON').fill('{');
    await page.getByText('The other members of message 3 are no JSON').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await page.getByLabel('Other members of message 3, as JSON').fill('{"tool_call_id": "c1"}');
    const [system, image, called, result, last] = INPUTS.messages;
    const inserted = { role: 'assistant', content: 'So it is 3.' };
    const messages = [system, image, called, { ...result, content: '3' }, inserted, last];
    expect(await send(page)).toEqual({ ...INPUTS, messages, model: 'hone-tiny', stream: true });
  });

  it('goes on with what its tools would have answered, and takes all of that back to be edited', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/playground?model=hone-tiny&message=add`);
    const piece = { id: 'c7', index: 0, type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    const chunk = { id: 'chatcmpl-x', object: 'chat.completion.chunk', created: 0, model: 'hone-tiny' };
    const events = [{ ...chunk, choices: [{ index: 0, delta: { tool_calls: [piece] }, finish_reason: null }] }];
    const body = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
    const answer = { contentType: 'text/event-stream', body };
    await page.route('**/v1/chat/completions', (route) => route.fulfill(answer), { times: 1 });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByLabel('Result of add').fill('2');
    // Drawing the page anew leaves the field as it is.
    for (const question of ['then', '']) await page.getByLabel('Message').fill(question);
    expect(await page.getByLabel('Result of add').inputValue()).toBe('2');
    await suite.expectGoodForEveryone(page);
    const asked = page.waitForRequest('**/v1/chat/completions');
    await page.getByRole('button', { name: 'Send the result' }).click();
    const tool_calls = [{ id: 'c7', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }];
    const messages = [
      { role: 'user', content: 'add' },
      { role: 'assistant', content: null, tool_calls },
      { role: 'tool', tool_call_id: 'c7', content: '2' },
    ];
    expect((await asked).postDataJSON()).toMatchObject({ messages });
    await page.getByRole('button', { name: 'Edit these messages' }).click();
    await page.getByLabel('Text of message 3').and(page.getByText('2')).waitFor();
    await page.getByLabel('Role of message 1').waitFor();
  });

  it('leads from what failed to a row of a dataset by five clicks at most', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/calls/${encodeURIComponent(FAILED)}`);
    let clicks = 0;
    const click = async (role: 'link' | 'button', name: string) => {
      await page.getByRole(role, { name, exact: true }).click();
      clicks++;
    };
    await click('link', 'Open in the playground');
    await page.getByLabel('System prompt').fill('You repeat.');
    const asked = page.waitForRequest('**/v1/chat/completions');
    await click('button', 'Send');
    expect((await asked).postDataJSON()).toMatchObject({
      messages: [
        { role: 'system', content: 'You repeat.' },
        { role: 'user', content: 'repeat: cat' },
      ],
    });
    await click('button', 'Save as a row');
    await page.getByRole('combobox', { name: /^Dataset/ }).fill('mended');
    await click('button', 'Save');
    await page.getByText('The row of mended is saved.').waitFor();
    expect(clicks).toBeLessThanOrEqual(5);
    const params = { entity: 'local', project: PROJECT.slice('local/'.length), object_id: 'mended', digest: 'latest' };
    expect((await suite.hone.trace.getDataset(params)).rows).toContain('/table/');
  });

  it('is not there any more, which the playground says', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/playground?call=gone`);
    await page.getByText('There is no such call').waitFor();
    await page.getByRole('link', { name: 'Begin without it' }).click();
    await page.getByLabel('Message').waitFor();
  });
});
