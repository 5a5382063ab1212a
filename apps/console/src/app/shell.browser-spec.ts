import { ConsoleSuite } from '../testing/console-suite.fixture.js';
import { seedQueue } from '../testing/seeds/annotation.fixture.js';
import { seedDataset } from '../testing/seeds/datasets.fixture.js';
import { seedMessagesPrompt } from '../testing/seeds/objects.fixture.js';
import { makeProject, ownName } from '../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('shell')}`;
const BASE = `/console/p/${PROJECT}`;
/** Of 800: a third of the page may be what stands above its content. */
const HIGHEST_FIRST_ROW = 260;

describe('the shell of the console', () => {
  let queue: string;
  let callId: string;
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    ({
      queue,
      callIds: [callId = ''],
    } = await seedQueue(hone, PROJECT, 'odd answers', 1));
    await seedDataset(hone, PROJECT, 'capitals');
    await seedMessagesPrompt(hone, PROJECT, 'greeting');
    await hone.trace.createFeedback({
      ...{ project_id: PROJECT, trace_ref: `hone:///${PROJECT}/call/${callId}`, feedback_type: 'hone.note.1' },
      payload: { note: 'Seen.' },
    });
  });

  it('goes to whatever the project has by its name, and to calls by their ids', async () => {
    const page = await suite.open(BASE);
    const goTo = async (typed: string, option: string | RegExp) => {
      await page.getByRole('button', { name: 'Go to' }).click();
      await page.getByRole('combobox', { name: 'Go to' }).fill(typed);
      await page.getByRole('option', { name: option }).click();
      return new URL(page.url()).pathname.replace(BASE, '') + new URL(page.url()).search;
    };
    expect(await goTo('odd', 'odd answers Queue')).toBe(`/annotation/${queue}`);
    expect(await goTo('capitals', 'capitals Dataset')).toBe('/datasets/capitals');
    expect(await goTo('greet', 'greeting Prompt')).toBe('/prompts/greeting');
    expect(await goTo('quality', 'quality AnnotationSpec')).toBe('/objects/quality');
    expect(await goTo('answers-0.first', /Op$/)).toContain('/calls?depth=all&op=');
    expect(await goTo(callId, /Call$/)).toBe(`/calls/${encodeURIComponent(callId)}`);
  });

  it('lists the keys of the page that is open, and of no other', async () => {
    const page = await suite.open(`${BASE}/calls`);
    const help = page.getByRole('dialog', { name: 'Keys' });
    const parts = () => help.getByRole('heading', { level: 3 }).allTextContents();
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('?');
    await help.waitFor();
    expect(await parts()).toEqual(expect.arrayContaining(['Everywhere', 'In the list of calls']));
    await suite.expectGoodForEveryone(page);
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Feedback' }).click();
    await page.getByRole('heading', { level: 1, name: 'Feedback' }).waitFor();
    await page.getByRole('button', { name: 'Keys' }).click();
    await help.waitFor();
    expect(await parts()).toEqual(['Everywhere']);
  });

  it('is set in its own typeface, which comes from here', async () => {
    const page = await suite.open(`${BASE}/feedback`);
    await page.getByRole('heading', { level: 1, name: 'Feedback' }).waitFor();
    const faces = await page.evaluate(async () => {
      const loaded = await document.fonts.ready;
      return [...loaded].map(({ family, status }) => [family.replaceAll(/['"]/g, ''), status]);
    });
    expect(faces).toEqual([['Inter Variable', 'loaded']]);
    const sources = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name))
        .filter(({ pathname }) => pathname.endsWith('.woff2'))
        .map(({ origin, pathname }) => [origin === location.origin, pathname.startsWith('/console/assets/')]),
    );
    expect(sources).toEqual([[true, true]]);
  });

  it('lets what a narrow page is about be seen at once', async () => {
    const page = await suite.open(`${BASE}/feedback`);
    await page.setViewportSize({ width: 390, height: 800 });
    const row = page.getByRole('row').filter({ hasText: 'Seen.' });
    await row.waitFor();
    expect((await row.boundingBox())?.y).toBeLessThan(HIGHEST_FIRST_ROW);
    await suite.expectGoodForEveryone(page);
  });
});
