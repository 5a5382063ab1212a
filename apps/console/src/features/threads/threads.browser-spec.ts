import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';
import { seedThread } from '../../testing/seeds/threads.fixture.js';

const PROJECT = `local/${ownName('threads')}`;
const EMPTY = `local/${ownName('threads-empty')}`;
const BASE = `/console/p/${PROJECT}`;

describe('threads and feedback', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    for (const project of [PROJECT, EMPTY]) await makeProject(hone, project);
    await seedThread(hone, PROJECT, 'support/1 <b>');
  });

  it('show a conversation turn by turn, and take a thumb for one of them, which the feedback lists', async () => {
    const page = await suite.open(`${BASE}/threads`);
    // How it began, and how it ended.
    await page.getByText('I cannot sign in.').waitFor();
    await page.getByText(`→ ${HOSTILE.word.slice(0, 50)}`).waitFor();
    await suite.expectGoodForEveryone(page);
    await page.getByRole('link', { name: 'support/1 <b>' }).click();
    const turns = page.getByRole('list', { name: 'Turns' });
    await turns.getByText('Please try to reset your password.').waitFor();
    // What was said before is not shown again.
    expect(await turns.getByText('I cannot sign in.').count()).toBe(1);
    expect(await turns.getByText(HOSTILE.script).count()).toBe(1);
    expect(await page.title()).toBe('Hone');
    const second = turns.getByRole('listitem', { name: 'Turn 2' });
    await second.getByRole('button', { name: 'Bad answer' }).click();
    await second.getByRole('img', { name: 'Bad answer' }).waitFor();
    await second.getByLabel('Note').fill('It did not help.');
    await page.keyboard.press('Enter');
    await second.getByText('It did not help.').waitFor();
    await suite.expectGoodForEveryone(page);

    await page.getByRole('link', { name: 'Threads', exact: true }).first().click();
    await page
      .getByRole('row', { name: /support/ })
      .getByRole('img', { name: 'Bad answers' })
      .waitFor();
    await page.getByRole('link', { name: 'Feedback', exact: true }).click();
    const list = page.getByRole('region', { name: 'Feedback' });
    await list.getByRole('img', { name: 'Bad answer' }).waitFor();
    await page.getByLabel('Kind').selectOption('note');
    await list.getByRole('img', { name: 'Bad answer' }).waitFor({ state: 'detached' });
    await page.reload();
    await list.getByText('It did not help.').waitFor();
    expect(await list.getByRole('img').count()).toBe(0);
    await suite.expectGoodForEveryone(page);
    await list.getByRole('link').first().click();
    await page.getByRole('article').getByText('It did not help.').waitFor();
  });

  it('say what would be here', async () => {
    for (const [view, title] of [
      ['threads', 'No conversations yet'],
      ['feedback', 'No feedback yet'],
      ['threads/nothing', 'There is no such conversation'],
    ] as const) {
      const page = await suite.open(`/console/p/${EMPTY}/${view}`);
      await page.getByText(title).waitFor();
      await suite.expectGoodForEveryone(page);
    }
  });

  it('let a reader read, and say nothing', async () => {
    const key = await makeMember(suite.hone, 'threads-reader', 'reader');
    const page = await suite.open(`${BASE}/threads/${encodeURIComponent('support/1 <b>')}`, key);
    await page.getByRole('listitem', { name: 'Turn 3' }).waitFor();
    expect(await page.getByRole('button', { name: 'Good answer' }).count()).toBe(0);
  });
});
