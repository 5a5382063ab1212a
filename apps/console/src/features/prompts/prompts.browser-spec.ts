import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { Page } from 'playwright-core';

import { ConsoleBrowser } from '../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { seedMessagesPrompt, seedPrompt } from '../../testing/seeds/objects.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '../../../../..');
const PROJECT = `local/${ownName('prompts')}`;
const EMPTY = `local/${ownName('prompts-empty')}`;
const BASE = `/console/p/${PROJECT}/prompts`;

describe('prompts', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [PROJECT, EMPTY]) await makeProject(hone, project);
    await seedPrompt(hone, PROJECT);
    for (const name of ['parrot', 'counted', 'split', 'edited', 'kept']) await seedMessagesPrompt(hone, PROJECT, name);
  });

  const labels = (page: Page) => page.getByRole('region', { name: 'Labels', exact: true });
  const messages = (page: Page) => page.getByRole('list', { name: 'Messages', exact: true });
  const aliasesOf = async (object_id: string) =>
    (await suite.hone.trace.listObjectAliases({ object_id, project_id: PROJECT })).aliases;
  const versionsOf = async (name: string) => {
    const { objs } = await suite.hone.trace.queryObjects({ project_id: PROJECT, filter: { object_ids: [name] } });
    return objs.sort((a, b) => a.version_index - b.version_index);
  };

  it('are listed with their newest version and the versions of their labels', async () => {
    const page = await suite.open(BASE);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'parrot' }) });
    await row.getByText('production v0').waitFor();
    await row.getByRole('cell', { name: 'v1', exact: true }).waitFor();
    await suite.expectGoodForEveryone(page);
    await row.getByRole('link').click();
    await messages(page).getByText('You are a kind parrot of').waitFor();
  });

  it('show their messages by role, with variables that are filled in where they stand', async () => {
    const page = await suite.open(`${BASE}/parrot`);
    await messages(page).getByText(HOSTILE.script).waitFor();
    await page.getByText('2 variables').waitFor();
    await page.getByLabel('word').fill('<b>cat</b>');
    await messages(page).getByText('repeat: <b>cat</b>').waitFor();
    await messages(page).getByText('{{owner}}').waitFor();
    await suite.expectGoodForEveryone(page);
    await page.reload();
    await messages(page).getByText('repeat: <b>cat</b>').waitFor();
    await page.getByRole('button', { name: /^v0/ }).click();
    await messages(page).getByText('You are a parrot.').waitFor();
    await page.getByLabel('Changes since').selectOption({ label: 'v1' });
    const changes = page.getByRole('region', { name: 'Changes from v1 to v0' });
    await changes.locator('del').first().waitFor();
    expect((await changes.locator('del').allInnerTexts()).join('')).toContain('kind');
    await suite.expectGoodForEveryone(page);
  });

  it('get a new version at their label by four clicks at most, having shown each word that changes', async () => {
    const page = await suite.open(`${BASE}/counted`);
    let clicks = 0;
    const click = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      clicks++;
    };
    await click('Edit');
    await page.getByLabel('Text of message 1', { exact: true }).fill('You are a calm parrot of {{owner}}.');
    const changes = page.getByRole('region', { name: 'Changes since v1' });
    await changes.locator('ins').getByText('calm').waitFor();
    await changes.locator('del').getByText('kind').waitFor();
    await click('Save as a new version');
    await click('Move production to v2');
    await labels(page).getByRole('listitem', { name: 'production' }).getByText('v2', { exact: true }).waitFor();
    expect(clicks).toBeLessThanOrEqual(4);
    const versions = await versionsOf('counted');
    expect(versions).toHaveLength(3);
    expect(await aliasesOf('counted')).toMatchObject([{ alias: 'production', digest: versions[2]?.digest }]);
    const body = { project_id: PROJECT, object_id: 'counted', digest: 'v2' };
    const { obj } = await suite.hone.trace.readObject(body);
    expect(obj.val).toMatchObject({ odd: HOSTILE.script, name: 'counted' });
  });

  it('are edited in every way that a chat has', async () => {
    const page = await suite.open(`${BASE}/edited`);
    const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await click('Edit');
    expect(await page.getByRole('button', { name: 'Save as a new version' }).isDisabled()).toBe(true);
    await click('Add a message');
    await page.getByLabel('Role of message 3').selectOption('assistant');
    await page.getByLabel('Text of message 3').fill('{{word}}');
    await click('Insert a message before message 1');
    await page.getByLabel('Role of message 1').selectOption('developer');
    await page.getByLabel('Text of message 1').fill(HOSTILE.rightToLeft);
    await click('Move message 4 up');
    await click('Remove message 2');
    await suite.expectGoodForEveryone(page);
    await click('Save as a new version');
    await messages(page).getByText(HOSTILE.rightToLeft).waitFor();
    const { obj } = await suite.hone.trace.readObject({ project_id: PROJECT, object_id: 'edited', digest: 'v2' });
    expect((obj.val as { messages: unknown }).messages).toEqual([
      { role: 'developer', content: HOSTILE.rightToLeft },
      { role: 'assistant', content: '{{word}}' },
      { role: 'user', content: 'repeat: {{word}}' },
    ]);
    await click('Edit');
    for (let left = 3; left > 0; left--) await click('Remove message 1');
    await page.getByText('A prompt has at least one message.').waitFor();
    await click('Cancel');
    await messages(page).getByText('repeat:').waitFor();
  });

  it('are split over versions by the weights of a label, which stand beside it', async () => {
    const page = await suite.open(`${BASE}/split`);
    await labels(page).getByRole('button', { name: 'Split production' }).click();
    await page.getByLabel('Weight of v1').fill('30');
    await suite.expectGoodForEveryone(page);
    await page.getByRole('button', { name: 'Set the shares' }).click();
    await labels(page).getByText('v0 75 %, v1 25 %').waitFor();
    const [older, newer] = await versionsOf('split');
    expect(await aliasesOf('split')).toMatchObject([
      { digest: older?.digest, weights: { [older?.digest as string]: 90, [newer?.digest as string]: 30 } },
    ]);
    await labels(page).getByRole('button', { name: 'Protect production' }).click();
    await labels(page).getByText('protected').waitFor();
    expect(await labels(page).getByRole('button', { name: 'Move production to v1' }).count()).toBe(0);
    await labels(page).getByRole('button', { name: 'Unprotect production' }).click();
    await labels(page).getByRole('button', { name: 'Move production to v1' }).click();
    await labels(page).getByRole('listitem', { name: 'production' }).getByText('v1', { exact: true }).waitFor();
    await labels(page).getByLabel('New label').fill('canary');
    await labels(page).getByRole('button', { name: 'Label v1' }).click();
    await labels(page).getByRole('button', { name: 'Remove canary' }).click();
    await labels(page).getByRole('listitem', { name: 'canary' }).waitFor({ state: 'detached' });
  });

  it('open in the playground, where variables are filled in, and save what is made of them', async () => {
    const page = await suite.open(`${BASE}/parrot?version=v0`);
    await page.getByLabel('word').fill('cat');
    await page.getByRole('link', { name: 'Open in the playground' }).click();
    await page.getByRole('link', { name: 'prompt parrot:v0' }).waitFor();
    await page.getByLabel('Message').and(page.getByText('repeat: {{word}}')).waitFor();
    await suite.expectGoodForEveryone(page);
    const asked = page.waitForRequest('**/v1/chat/completions');
    await page.getByRole('button', { name: 'Send' }).click();
    const { messages: sent } = (await asked).postDataJSON() as { messages: { content: string }[] };
    expect(sent.map(({ content }) => content)).toEqual([`You are a parrot. ${HOSTILE.script}`, 'repeat: cat']);
    await page.getByRole('button', { name: 'Good answer' }).waitFor();
    await page.getByRole('button', { name: 'Save as a prompt' }).click();
    expect(await page.getByRole('combobox', { name: /^Prompt/ }).inputValue()).toBe('parrot');
    await page.goto(new URL(`/console/p/${PROJECT}/playground?prompt=nothing`, page.url()).href);
    await page.getByText('It was deleted, or its address is another.').waitFor();
    await page.goto(new URL(`/console/p/${PROJECT}/playground?prompt=greeting&version=v0`, page.url()).href);
    await page.getByLabel('System prompt').and(page.getByText('Never shout.')).waitFor();
  });

  it('say plainly who may move a label', async () => {
    const key = await makeMember(suite.hone, 'prompts-writer', 'writer');
    const page = await suite.open(`${BASE}/kept`, key);
    await labels(page).getByRole('button', { name: 'Move production to v1' }).waitFor();
    expect(await labels(page).getByRole('button', { name: 'Protect production' }).count()).toBe(0);
    await suite.hone.accounts.putMember({ entity: 'local', username: 'prompts-writer' }, { role: 'annotator' });
    await labels(page).getByRole('button', { name: 'Move production to v1' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByText('Changing a label needs the role writer in local').waitFor();
    await suite.expectGoodForEveryone(page);
    expect(await aliasesOf('kept')).toMatchObject([{ digest: (await versionsOf('kept'))[0]?.digest }]);
  });

  it('that are a text of another class are shown, too, and what is no prompt as what it is', async () => {
    const page = await suite.open(`${BASE}/greeting`);
    await page.getByText('The gateway does not take this version').waitFor();
    await messages(page).getByText('Be warm and short.').waitFor();
    await suite.hone.trace.createObject({ obj: { project_id: PROJECT, object_id: 'odd', val: { messages: 7 } } });
    await page.goto(new URL(`${BASE}/odd`, page.url()).href);
    await page.getByText('This version is no prompt').waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('say what would be here, by a line that makes one', async () => {
    const page = await suite.open(`/console/p/${EMPTY}/prompts`);
    await page.getByText('No prompts yet').waitFor();
    expect(await page.locator('main pre').innerText()).toContain(EMPTY);
    await suite.expectGoodForEveryone(page);
    await page.goto(new URL(`/console/p/${EMPTY}/prompts/nothing`, page.url()).href);
    await page.getByText('There is no such prompt').waitFor();
  });

  it('count what the calls of each version did, and lead to these', async () => {
    const ask = async (version: string) => {
      const body = { model: 'hone-tiny', prompt: { id: 'used', version, variables: { word: 'cat', owner: 'x' } } };
      return suite.hone.inference.createChatCompletion(body as never, { headers: { 'hone-project': PROJECT } });
    };
    await seedMessagesPrompt(suite.hone, PROJECT, 'used');
    const used = [await ask('v1'), await ask('v1')];
    const liked = used[0]?.id as string;
    for (const [feedback_type, payload, more] of [
      ['hone.reaction.1', { emoji: '👍' }, {}],
      ['review', {}, { scorer_ratings: { helpful: 0.5 } }],
    ] as const)
      await suite.hone.trace.createFeedback({
        ...{ project_id: PROJECT, completion_id: liked, feedback_type, payload, ...more },
      } as never);
    // A chat is answered before it is stored.
    const stored = { project_id: PROJECT, filter: { call_ids: used.map(({ id }) => id.slice('chatcmpl-'.length)) } };
    while ((await suite.hone.trace.countCalls(stored)).count < used.length) await setTimeout(100);
    const page = await suite.open(`${BASE}/used?view=use`);
    const row = (version: string) =>
      page.getByRole('row').filter({ has: page.getByRole('cell', { name: version, exact: true }) });
    const cell = (version: string, at: number) => row(version).getByRole('cell').nth(at);
    await row('v1').getByRole('link', { name: 'helpful 0.50 (1)' }).waitFor();
    await cell('v1', 1).getByText('2', { exact: true }).waitFor();
    expect(Number(await cell('v1', 3).innerText())).toBeGreaterThan(0);
    expect([await cell('v1', 6).innerText(), await cell('v1', 7).innerText()]).toEqual(['1', '0']);
    await cell('v0', 1).getByText('0', { exact: true }).waitFor();
    await suite.expectGoodForEveryone(page);
    await cell('v1', 6).getByRole('link').click();
    await page.getByRole('link', { name: 'chat.completions' }).or(page.getByText('chat.completions')).first().waitFor();
    await page.goBack();
    await cell('v1', 1).getByRole('link').click();
    await page.waitForURL(/attributes\.prompt/);
    await page.getByText('chat.completions').nth(1).waitFor();
    expect(await page.getByText('This query cannot be read').count()).toBe(0);
  });

  it('are used from code that runs as it is pasted', async () => {
    const page = await suite.open(`${BASE}/parrot?version=v0&variables=${encodeURIComponent('{"word": "cat"}')}`);
    await page.getByRole('button', { name: 'Use in code' }).click();
    expect(await page.getByLabel('Version', { exact: true }).inputValue()).toBe('production');
    await suite.expectGoodForEveryone(page);
    const code = page.getByRole('region', { name: 'Code' });
    const env = { ...process.env, HONE_API_KEY: ConsoleBrowser.key };
    for (const api of ['Chat completions', 'Responses']) {
      await page.getByLabel('API', { exact: true }).selectOption(api);
      await page.getByLabel('Language').selectOption('curl');
      const curl = await run('sh', ['-c', `${await code.innerText()} -o /dev/null -w '%{http_code}'`], { env });
      expect(curl.stdout).toBe('200');
      await page.getByLabel('Language').selectOption('TypeScript');
      const node = ['--input-type=module', '--eval', await code.innerText()];
      expect((await run(process.execPath, node, { env, cwd: REPOSITORY })).stdout.trim()).not.toBe('');
      await page.getByLabel('Language').selectOption('Python');
      expect(await code.innerText()).not.toContain(ConsoleBrowser.key);
    }
    await page.getByLabel('API', { exact: true }).selectOption('Weave');
    await code.getByText('weave.ref("parrot:production").get()').waitFor();
  });
});
