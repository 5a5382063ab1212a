import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Page } from 'playwright-core';

import { ConsoleBrowser } from '../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '../../../../..');
const PROJECT = `local/${ownName('doors')}`;
const DOORS = [
  ['', 'Chat completions', '/v1/chat/completions', 'messages'],
  ['responses', 'Responses', '/v1/responses', 'input'],
  ['messages', 'Messages', '/v1/messages', 'messages'],
] as const;

describe('the doors of the playground', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
  });

  const open = (query: string) =>
    suite.open(`/console/p/${PROJECT}/playground?model=hone-tiny&temperature=0&max_tokens=20&${query}`);
  const api = (page: Page) => page.getByRole('combobox', { name: 'API' });
  const answer = (page: Page) => page.getByRole('list', { name: 'Conversation' }).locator('li[data-role=assistant]');

  it.each(DOORS)('answer through each: %s %s', async (name, label, path, member) => {
    const page = await open('');
    await api(page).selectOption(label);
    expect(new URL(page.url()).searchParams.get('api') ?? '').toBe(name);
    for (const [count, word] of ['cat', 'dog'].entries()) {
      await page.getByLabel('Message').fill(`repeat: ${word}`);
      const asked = page.waitForRequest(`**${path}`);
      await page.getByRole('button', { name: 'Send' }).click();
      const body = (await asked).postDataJSON();
      expect(body).toMatchObject({ model: 'hone-tiny', temperature: 0, stream: true });
      expect(JSON.stringify(body[member])).toContain(`repeat: ${word}`);
      await page.getByRole('button', { name: 'Good answer' }).waitFor();
      expect(await answer(page).nth(count).innerText()).toMatch(/\w/);
    }
    expect(await answer(page).first().innerText()).toContain('cat');
    await page.getByRole('button', { name: 'Good answer' }).click();
    await page.getByRole('button', { name: 'Good answer', pressed: true }).waitFor();
    await page.getByRole('link', { name: 'Open this call' }).click();
    await page.getByRole('list', { name: 'Conversation' }).getByText('repeat: dog').waitFor();
    await page.getByRole('img', { name: 'Good answer' }).waitFor();
    await page.getByRole('link', { name: 'Open in the playground' }).click();
    await page.getByLabel('Message').and(page.getByText('repeat: dog')).waitFor();
    // Calls say that they were responses; all others are kept as the chat completions that they were.
    const kept = name === 'responses' ? label : 'Chat completions';
    expect(await api(page).locator('option:checked').innerText()).toBe(kept);
  });

  it.each(DOORS)('ask for tools and a schema in their own words: %s', async (name, _label, path) => {
    const schema = encodeURIComponent('{"enum": ["cat", "dog"]}');
    const page = await open(`api=${name}&system=Be+brief.&schema=${schema}&message=repeat:+cat`);
    const answered = page.waitForResponse(`**${path}`);
    await page.getByRole('button', { name: 'Send' }).click();
    expect((await answered).status()).toBe(200);
    await answer(page)
      .getByText(/"(cat|dog)"/)
      .waitFor();
  });

  it('show what a model fails with', async () => {
    const page = await open('api=messages&message=x&parameters=%7B%22thinking%22:1%7D');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Good answer' }).count()).toBe(0);
  });

  it('say what they have no place for', async () => {
    const page = await open('api=messages&logprobs=1&message=x');
    const left = page.getByRole('list', { name: 'Not sent' });
    await left.getByText('logprobs: messages have no probabilities.').waitFor();
    await suite.expectGoodForEveryone(page);
    await api(page).selectOption('Responses');
    await left.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Good answer' }).waitFor();
    expect(await answer(page).locator('[title]').count()).toBeGreaterThan(0);
  });

  it('have the parameters of their own', async () => {
    const page = await open('api=messages&parameters=%7B%7D');
    await page.getByText('Parameters', { exact: true }).click();
    await page.getByText('All parameters and what they mean').click();
    await page.getByRole('row', { name: /^stop_sequences / }).waitFor();
    expect(await page.getByRole('row', { name: /^(stop|messages|system) / }).count()).toBe(0);
  });

  describe('show their requests as code', () => {
    const shown = async (page: Page, language: string): Promise<string> => {
      await page.getByRole('combobox', { name: 'Language' }).selectOption(language);
      return page.getByRole('region', { name: 'Code' }).innerText();
    };
    const env = { ...process.env, HONE_API_KEY: ConsoleBrowser.key };

    it.each(DOORS)('that runs: %s', async (name) => {
      const page = await open(`api=${name}&message=repeat:+cat&parameters=%7B%22top_k%22:5%7D`);
      await page.getByRole('button', { name: 'Show code' }).click();
      const codes = {
        curl: await shown(page, 'curl'),
        python: await shown(page, 'Python'),
        typescript: await shown(page, 'TypeScript'),
      };
      await suite.expectGoodForEveryone(page);
      for (const code of Object.values(codes)) {
        expect(code).toContain(new URL(page.url()).origin);
        expect(code).toContain(PROJECT);
        expect(code).not.toContain(ConsoleBrowser.key);
      }
      const curl = await run('sh', ['-c', codes.curl], { env });
      expect(JSON.stringify(JSON.parse(curl.stdout))).toContain('cat');
      const node = ['--input-type=module', '--eval', codes.typescript];
      expect((await run(process.execPath, node, { env, cwd: REPOSITORY })).stdout.trim()).toBe('cat');
    });

    it('with all that was said so far, whatever that is', async () => {
      const page = await open(`system=${encodeURIComponent(HOSTILE.script)}`);
      expect(await page.getByRole('button', { name: 'Show code' }).isDisabled()).toBe(true);
      await page.getByLabel('Message').fill(`it's $(id) \`id\` "${HOSTILE.script}`);
      await page.getByRole('button', { name: 'Show code' }).click();
      const { stdout } = await run('sh', ['-c', `${await shown(page, 'curl')} -o /dev/null -w '%{http_code}'`], {
        env,
      });
      expect(stdout).toBe('200');
    });
  });

  it('are asked with models that answer chats alone', async () => {
    const page = await suite.open('/console/');
    await page.route('**/v1/models', async (route) => {
      const response = await route.fetch();
      const list = (await response.json()) as { data: object[] };
      const embedder = { id: 'embedder', object: 'model', created: 0, owned_by: 'x', root: 'x', kind: 'embedding' };
      await route.fulfill({ response, json: { ...list, data: [embedder, ...list.data] } });
    });
    await page.goto(new URL(`/console/p/${PROJECT}/playground`, page.url()).href);
    const options = page.getByRole('combobox', { name: /^Model/ }).locator('option');
    await options.getByText('hone-tiny').first().waitFor({ state: 'attached' });
    expect(await options.allTextContents()).not.toContain('embedder');
  });
});
