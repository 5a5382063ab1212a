import { ConsoleSuite } from '../../testing/console-suite.fixture.js';
import { HOSTILE_ALIAS, RECOVERS, SeededGateway } from '../../testing/seeds/gateway.fixture.js';
import { makeMember } from '../../testing/seeds/members.fixture.js';
import { makeProject, ownName } from '../../testing/seeds/projects.fixture.js';

const PROJECT = `local/${ownName('gateway')}`;
const ADDRESS = `/console/p/${PROJECT}/gateway`;
const FILE = process.env['HONE_UPSTREAMS'] ?? '';

describe('the gateway', () => {
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
  });
  let gateway: SeededGateway | undefined;
  const started = async () => (gateway ??= await SeededGateway.start(suite.hone, FILE));
  // Other specs go on with Hone's own engine.
  afterAll(() => gateway?.stop());

  it('says how to add a server where there is none', async () => {
    const page = await suite.open(`/console/p/${PROJECT}`);
    await page.getByRole('link', { name: 'Gateway', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    await page.keyboard.type('gateway');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/gateway$/);
    // Models that other specs train meanwhile have rows, too.
    const own = page.getByRole('button', { name: 'local/hone-tiny', exact: true });
    await page.getByRole('row').filter({ has: own }).first().getByText('healthy').waitFor();
    await page.getByText('No other servers yet').waitFor();
    await page.getByText('HONE_UPSTREAMS=upstreams.yaml npm start').waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('says of a trained model that it was deleted, while one watches', async () => {
    const [entity = '', project = ''] = PROJECT.split('/');
    const place = { entity, project, name: 'short-lived', base_model: 'hone-tiny' };
    const { id } = await suite.hone.training.createTrainableModel(place);
    const { inference_name } = await suite.hone.training.getTrainableModel({ model_id: id });
    const messages = [{ role: 'user' as const, content: 'repeat: cat' }];
    await suite.hone.inference.createChatCompletion({ model: inference_name, messages });
    const page = await suite.open(ADDRESS);
    const row = page.getByRole('row').filter({ hasText: `${PROJECT}/short-lived` });
    await row.getByText('healthy').waitFor();
    await suite.hone.training.deleteTrainableModel({ model_id: id });
    await row.getByText('deleted').waitFor();
    await row.getByRole('button').click();
    await page.getByText('who asks for it gets a 404').waitFor();
    await suite.expectGoodForEveryone(page);
  });

  it('shows a target fail, be tried again and come back, while one watches', async () => {
    const { ask } = await bound();
    const page = await suite.open(ADDRESS);
    const row = page.getByRole('row', { name: `wavering/${RECOVERS}` });
    await row.getByText('healthy').waitFor();
    await page.getByText(HOSTILE_ALIAS).waitFor();
    await ask('wavering', PROJECT, 3);
    await row.getByText('half-open').waitFor();
    await row.getByText(/overloaded, \d+ s ago/).waitFor();

    await row.getByRole('button', { name: `wavering/${RECOVERS}` }).focus();
    await page.keyboard.press('Enter');
    const detail = page.getByRole('region', { name: 'Target', exact: true });
    const failures = detail.getByRole('region', { name: 'Last failures' }).getByRole('row');
    // A head, and three of them, the newest first.
    await failures.nth(3).waitFor();
    await failures.nth(1).getByText('went on to backup/ok').waitFor();
    expect(await failures.nth(1).getByText('open', { exact: true }).count()).toBe(1);
    expect(await failures.nth(3).getByText('closed', { exact: true }).count()).toBe(1);
    await suite.expectGoodForEveryone(page);

    await page.reload();
    await failures.nth(3).waitFor();
    await ask('wavering', PROJECT);
    await row.getByText('healthy').waitFor();
    await detail.getByText('It gets requests.').waitFor();
    await detail.getByRole('button', { name: 'Close' }).click();
    await detail.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });

  it('shows until when a target gets no requests, which servers there are, and whether its file is wrong', async () => {
    const { ask, host, damageFile, repairFile } = await bound();
    await ask('broken', PROJECT, 3);
    await ask('limited', PROJECT);
    await ask('team-chat', PROJECT, 4);
    const page = await suite.open(`${ADDRESS}?target=${encodeURIComponent('broken/status@500')}`);
    const rowOf = (name: string) => page.getByRole('region', { name: 'Routes and targets' }).getByRole('row', { name });
    await rowOf('broken/status@500')
      .getByText(/open 1\d min/)
      .waitFor();
    await rowOf('main/rate-limit')
      .getByText(/cooling down \d+ s/)
      .waitFor();
    await rowOf('team-chat')
      .getByText(/^\d+ ms · \d+ ms$/)
      .waitFor();
    await rowOf('off').getByText('All of its upstreams are disabled.').waitFor();
    await page
      .getByRole('region', { name: 'Target', exact: true })
      .getByText(/lets a probe through at/)
      .waitFor();
    await page
      .getByRole('region', { name: 'Table of upstreams' })
      .getByRole('row', { name: 'main' })
      .getByText(host)
      .waitFor();
    await suite.expectGoodForEveryone(page);
    await damageFile();
    await page.getByText('The changed upstreams file is wrong').waitFor();
    await rowOf('team-chat').getByText('healthy').waitFor();
    await repairFile();
    await page.getByText('The changed upstreams file is wrong').waitFor({ state: 'detached' });
  });

  it('has neither servers nor request ids for a reader', async () => {
    const { ask, host } = await bound();
    await ask('broken', PROJECT);
    const key = await makeMember(suite.hone, 'gateway-reader', 'reader');
    const page = await suite.open(`${ADDRESS}?target=${encodeURIComponent('broken/status@500')}`, key);
    await page.getByRole('region', { name: 'Last failures' }).getByText('server error').first().waitFor();
    expect(await page.getByText('Request id').count()).toBe(0);
    expect(await page.getByText(host).count()).toBe(0);
  });

  it('shows the server’s sentence to a key that may not ask models, and where a target is no more', async () => {
    const { key } = await suite.hone.accounts.createApiKey({ label: 'no-inference', scopes: ['trace', 'account'] });
    const refused = await suite.open(ADDRESS, key);
    await refused.getByRole('alert').getByText("This key lacks the scope 'inference'.").waitFor();
    await suite.expectGoodForEveryone(refused);
    const page = await suite.open(`${ADDRESS}?target=gone%2F%3Cscript%3E`);
    await page.getByText('This process has no such target').waitFor();
    await page.getByRole('heading', { name: 'gone/<script>' }).waitFor();
  });

  /** Its methods, for short. */
  async function bound() {
    const seeded = await started();
    return {
      host: seeded.host,
      ask: seeded.ask.bind(seeded),
      damageFile: seeded.damageFile.bind(seeded),
      repairFile: seeded.repairFile.bind(seeded),
    };
  }
});
