import type { Page } from 'playwright-core';

import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('playground')}`;
const SILENT = `local/${ownName('silent')}`;

describe('what is asked and answered in the playground', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    await makeProject(hone, SILENT);
    await hone.trace.updateCallLogging({ project_id: SILENT, log_calls: 'off' });
  });

  const ask = async (project: string, key?: string): Promise<Page> => {
    const path = `/console/p/${project}/playground?system=${encodeURIComponent(HOSTILE.script)}`;
    const page = await suite.open(path, key);
    await page.getByLabel('Message').fill('repeat: cat');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Good answer' }).waitFor();
    return page;
  };

  it('is saved as a prompt, and as a new version of it', async () => {
    const page = await ask(PROJECT);
    for (const [version, hint] of [
      [0, 'A prompt of this name is made if there is none.'],
      [1, 'A new version of it is made.'],
    ] as const) {
      if (version === 1) await page.getByLabel('Message').fill('and again');
      await page.getByRole('button', { name: 'Save as a prompt' }).click();
      await page.getByRole('combobox', { name: /^Prompt/ }).fill('My cat');
      await page.getByText(hint).waitFor();
      if (version === 0) await suite.expectGoodForEveryone(page);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The prompt my_cat is saved.').waitFor();
      if (version === 0) await page.getByRole('button', { name: 'Done' }).click();
    }
    const filter = { base_object_classes: ['Prompt'], latest_only: true };
    const { objs } = await suite.hone.trace.queryObjects({ project_id: PROJECT, filter });
    expect(objs).toMatchObject([{ object_id: 'my_cat', version_index: 1, leaf_object_class: 'MessagesPrompt' }]);
    const { messages } = objs[0]?.val as { messages: { role: string; content: string }[] };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages.at(-1)?.content).toBe('and again');
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.waitForURL(/\/prompts\/my_cat$/);
    await page.getByRole('heading', { name: 'my_cat' }).waitFor();
  });

  it('is saved as a row, which can be corrected', async () => {
    const page = await ask(PROJECT);
    await page.getByRole('button', { name: 'Save as a row' }).click();
    await page.getByRole('combobox', { name: /^Dataset/ }).fill('Cats');
    const row = page.getByLabel('Row, as JSON');
    const before = await row.inputValue();
    await row.fill('{"inputs": ');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The row is no JSON').waitFor();
    await row.fill(
      before.replace(/"output": ".*"/, '"output": "12345678901234567890", "weight": 12345678901234567890'),
    );
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.waitForURL(/\/datasets\/cats$/);
    await page.getByText('12345678901234567890').first().waitFor();
  });

  it('leads to the call that it became, which needs no saving', async () => {
    const page = await ask(PROJECT);
    await page.getByRole('link', { name: 'Open this call' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save as a call' }).count()).toBe(0);
  });

  it('is saved as a call where the project keeps none', async () => {
    const page = await ask(SILENT);
    await page.getByRole('button', { name: 'Save as a call' }).click();
    await page.getByRole('link', { name: 'Open this call' }).click();
    await page.getByRole('list', { name: 'Conversation' }).getByText('repeat: cat').waitFor();
    expect(await page.title()).toBe('Hone');
    await suite.expectGoodForEveryone(page);
  });

  it('is asked with tools, a schema, and any parameter of the interface, which says what it means', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/playground?model=hone-tiny`);
    await page
      .getByRole('combobox', { name: /^Model/ })
      .locator('optgroup[label="Of the gateway"]')
      .waitFor({ state: 'attached' });
    await page.getByText('Parameters', { exact: true }).click();
    const boxes = await Promise.all(
      [/^Temperature/, /^Top p/, /^Max tokens/].map((name) => page.getByRole('textbox', { name }).boundingBox()),
    );
    expect(new Set(boxes.map((box) => `${box?.y} ${box?.height}`)).size).toBe(1);
    await page.getByLabel('Schema that the answer obeys').fill('{"type": ');
    await page.getByLabel('Message').fill('repeat: cat');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The schema is no JSON').waitFor();
    await page.getByLabel('Schema that the answer obeys').fill('{"enum": ["cat", "dog"]}');
    await page.getByText('All parameters and what they mean').click();
    const row = page.getByRole('row', { name: /^min_p / });
    await row.getByText(/likeliest/).waitFor();
    await page.getByRole('button', { name: 'Add stop', exact: true }).click();
    expect(await page.getByLabel('Other parameters, as JSON').inputValue()).toContain('"stop"');
    await suite.expectGoodForEveryone(page);
    const asked = page.waitForRequest('**/v1/chat/completions');
    await page.getByRole('button', { name: 'Send' }).click();
    expect((await asked).postDataJSON()).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema: { enum: ['cat', 'dog'] } } },
    });
    await page
      .getByRole('list', { name: 'Conversation' })
      .getByText(/"(cat|dog)"/)
      .waitFor();
  });

  it('cannot be asked before the models are known, nor when they could not be read until they are', async () => {
    const page = await suite.open('/console/');
    let isBroken = true;
    await page.route('**/v1/models', async (route) => {
      if (isBroken) await route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'The gateway is away.' } });
      else await route.continue();
    });
    await page.goto(new URL(`/console/p/${PROJECT}/playground?message=repeat: cat`, page.url()).href);
    await page.getByRole('status').getByText('Loading models …').waitFor();
    const model = page.getByRole('combobox', { name: /^Model/ });
    expect(await model.locator('option').allTextContents()).toEqual(['Loading models …']);
    await page.getByRole('alert').getByText('The gateway is away.').waitFor();
    expect(await model.locator('option').allTextContents()).toEqual(['No model to ask']);
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await suite.expectGoodForEveryone(page);
    isBroken = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Good answer' }).waitFor();
  });

  it('is better than the answer beside it, which is kept as a preference', async () => {
    const page = await suite.open(
      `/console/p/${PROJECT}/playground?model=hone-tiny&beside=hone-tiny&message=repeat:+cat`,
    );
    await page.getByRole('button', { name: 'Send' }).click();
    const better = page.getByRole('button', { name: 'This one is better' });
    await better.nth(1).waitFor();
    await suite.expectGoodForEveryone(page);
    const links = await page
      .getByRole('link', { name: 'Open this call' })
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).pathname));
    const [rejected, chosen] = links.map((path) => `hone:///${PROJECT}/call/${path.split('/').at(-1)}`);
    await better.nth(1).click();
    await page.getByRole('button', { name: 'This one is better', pressed: true }).waitFor();
    expect(await better.first().isDisabled()).toBe(true);
    const query = { $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: 'hone.preference.1' }] } };
    const fields = ['trace_ref', 'payload'];
    const { result } = await suite.hone.trace.queryFeedback({ project_id: PROJECT, query, fields } as never);
    expect(result).toEqual([{ trace_ref: chosen, payload: { chosen, rejected } }]);
    await page.getByLabel('Message').fill('repeat: dog');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Good answer' }).nth(1).waitFor();
  });

  it('is saved by nobody who may only read', async () => {
    const key = await makeMember(suite.hone, 'playground-reader', 'reader');
    const page = await suite.open(`/console/p/${PROJECT}/playground?system=x`, key);
    await page.getByText('Your role lets you look, not ask').waitFor();
    expect(await page.getByRole('button', { name: /^(Save|Send)/ }).count()).toBe(0);
  });
});
