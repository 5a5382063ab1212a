import { untilCount } from '../../testing/console-browser.fixture.js';
import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { HOSTILE } from '../../testing/seeds/hostile.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';
import { seedThread } from '../../testing/seeds/threads.fixture.js';

const PROJECT = `local/${ownName('feedback')}`;
const NOTE = `${'The answer **asks back** instead of helping. '.repeat(12)}${HOSTILE.script}`;

describe('the page of feedback', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    const [first = '', second = ''] = await seedThread(hone, PROJECT, 'judged-thread');
    const said = (id: string, feedback_type: string, payload: object) => ({
      ...{ project_id: PROJECT, trace_ref: `hone:///${PROJECT}/call/${id}`, feedback_type, payload },
    });
    await hone.trace.createFeedbackBatch({
      batch: [
        said(first, 'hone.reaction.1', { emoji: '👍🏽' }),
        said(second, 'hone.reaction.1', { emoji: '👎' }),
        said(first, 'hone.note.1', { note: NOTE }),
        said(first, 'hone.correction.1', { output: 'Which error do you see on the page?' }),
        said('gone', 'hone.reaction.1', { emoji: '👍' }),
      ],
    } as never);
  });

  it('names calls by what they are about, and shows notes in full', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/feedback`);
    const note = page.getByRole('row').filter({ hasText: 'The answer asks back' });
    await note.getByRole('link', { name: 'chat', exact: true }).waitFor();
    await note.getByText('I cannot sign in.').waitFor();
    expect(await note.locator('strong').count()).toBe(12);
    await page.getByRole('link', { name: 'gone' }).waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('shows thumbs of one kind', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/feedback`);
    await page.getByLabel('Kind').selectOption('Thumbs down');
    await page.getByRole('img', { name: 'Good answer' }).first().waitFor({ state: 'detached' });
    await untilCount(page.getByRole('img', { name: 'Bad answer' }), 1);
    await page.getByLabel('Kind').selectOption('Thumbs up');
    await page.getByRole('img', { name: 'Bad answer' }).waitFor({ state: 'detached' });
    // Of any colour of the skin.
    await untilCount(page.getByRole('img', { name: 'Good answer' }), 2);
  });

  it('shows what one person gave, by their name or the creator that a client has set', async () => {
    const key = await makeMember(suite.hone, 'feedback-giver', 'annotator');
    const trace_ref = `hone:///${PROJECT}/call/gone`;
    const said = { project_id: PROJECT, trace_ref, feedback_type: 'hone.note.1' };
    await suite.as(key).trace.createFeedback({ ...said, payload: { note: 'of a user' } });
    const ofClient = { ...said, creator: 'ada@example.com', payload: { note: 'of a client' } };
    await suite.hone.trace.createFeedback(ofClient);
    const page = await suite.open(`/console/p/${PROJECT}/feedback`);
    const rows = page.getByRole('row').filter({ hasText: 'hone.' });
    await page.getByLabel('By whom').fill('K-GIVER');
    await untilCount(rows, 1);
    await rows.getByText('of a user').waitFor();
    await page.getByLabel('By whom').fill('ada@');
    await rows.getByText('of a client').waitFor();
    await untilCount(rows, 1);
    await suite.expectGoodForEveryone(page);
    await page.reload();
    await untilCount(rows, 1);
    await page.getByLabel('By whom').fill('nobody-at-all');
    await page.getByText('No feedback matches').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await rows.getByText('of a user').waitFor();
    expect(await page.getByLabel('By whom').inputValue()).toBe('');
    // Whoever may not list users looks for them as they are shown.
    const reader = await suite.open(
      `/console/p/${PROJECT}/feedback`,
      await makeMember(suite.hone, 'feedback-reader', 'reader'),
    );
    const row = reader.getByRole('row').filter({ hasText: 'of a user' });
    const shown = (await row.getByText(/^…/).innerText()).trim();
    await reader.getByLabel('By whom').fill(shown);
    await untilCount(reader.getByRole('row').filter({ hasText: 'hone.' }), 1);
    await row.waitFor();
  });

  it('shows a correction as a text, and what it changes', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/feedback?kind=correction`);
    const row = page.getByRole('row').filter({ hasText: 'A better answer' });
    await row.getByText('Which error do you see on the page?').waitFor();
    await row.getByRole('button', { name: 'What was changed' }).click();
    await row.locator('ins').first().waitFor();
    expect((await row.locator('ins').allTextContents()).join('')).toContain('on the page');
    await suite.expectGoodForEveryone(page);
  });
});
