import { ConsoleSuite } from '../../../testing/console-suite.fixture.js';
import { ownName } from '../../../testing/seeds/projects.fixture.js';

const NAME = ownName('preferences');
const PAIRS = Array.from({ length: 8 }, (_none, at) => ({
  ...{ prompt: `What is ${at + 10} minus ${at}?`, chosen: '10', rejected: 'The difference is 10.' },
}));

describe('a job on preferences', () => {
  let job: string;
  const suite = ConsoleSuite.of(async (hone) => {
    const where = { entity: 'local', project: 'default' };
    const model = await hone.training.createTrainableModel({ project: 'default', name: NAME, base_model: 'hone-tiny' });
    const lines = PAIRS.map((pair) => JSON.stringify(pair)).join('\n');
    const { url } = await hone.training.uploadArtifact({ ...where, name: NAME }, lines);
    const config = { n_epochs: 2, batch_size: 8, learning_rate: 2e-3 };
    const body = { model_id: model.id, training_data_url: url, config };
    job = (await hone.training.createPreferenceTrainingJob(body as never)).id;
  });

  it('shows its pairs side by side, with how likely both models find them', async () => {
    const page = await suite.open(`/console/p/local/default/training/jobs/${job}`);
    await page.getByText('made step 1').waitFor();
    const line = page.getByRole('article', { name: 'Line 1', exact: true });
    await line.getByText('What is 10 minus 0?').waitFor();
    await line.getByRole('button', { name: 'Log-probabilities' }).click();
    const chosen = line.getByRole('region', { name: 'Chosen' });
    await chosen.getByText(/^-\d+\.\d\d nats by the policy, -\d+\.\d\d nats by the reference: [+-]\d/).waitFor();
    await line.getByRole('region', { name: 'Rejected' }).getByText('by the reference').waitFor();
    // It has learned: what is chosen gained more.
    await line.getByText(/^The chosen answer gained \+\d+\.\d\d nats more/).waitFor();
    expect(await chosen.locator('[data-doubt]').allInnerTexts()).toEqual(expect.arrayContaining(['1']));
    await suite.expectGoodForEveryone(page);
  });
});
