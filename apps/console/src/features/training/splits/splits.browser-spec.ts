import { ConsoleSuite } from '../../../testing/console-suite.fixture.js';
import { makeProject, ownName } from '../../../testing/seeds/projects.fixture.js';

const NAME = ownName('splits');
const PROJECT = `local/${NAME}`;

describe('the traffic of a model', () => {
  let model: string;
  const suite = ConsoleSuite.of(async (hone) => {
    await makeProject(hone, PROJECT);
    const place = { entity: 'local', project: NAME };
    ({ id: model } = await hone.training.createTrainableModel({ ...place, name: 'pupil', base_model: 'hone-tiny' }));
    await hone.training.putCheckpointAlias({ model_id: model, alias: 'production' }, { step: 0 });
  });

  it('is split over models by the weights of arms, beside a shadow, until the split ends', async () => {
    const page = await suite.open(`/console/p/${PROJECT}/training/models/${model}`);
    const alias = page.getByRole('region', { name: 'Traffic' }).getByRole('listitem', { name: 'production' });
    await alias.getByRole('button', { name: 'Split production' }).click();
    const dialog = page.getByRole('dialog', { name: 'Split production' });
    const arm = dialog.getByRole('group', { name: 'Arm 1' });
    expect(await dialog.getByRole('button', { name: 'Set the split' }).isDisabled()).toBe(true);
    await arm.getByLabel('Model').selectOption('hone-tiny');
    await arm.getByLabel('Percent').fill('12.5');
    await dialog.getByText('keeps 87.5 % of the threads').waitFor();
    await dialog.getByLabel('Answers a second time').selectOption('hone-tiny');
    await dialog.getByLabel('Spend at most on a day').fill('2');
    await suite.expectGoodForEveryone(page);
    await dialog.getByRole('button', { name: 'Set the split' }).click();
    await alias.getByText('step 0 87.5 %, candidate 12.5 % (hone-tiny)').waitFor();
    await alias.getByText('hone-tiny answers 10 % of the requests a second time; $0.0000 of $2 spent today').waitFor();
    await suite.expectGoodForEveryone(page);
    expect(await suite.hone.training.getAliasSplit({ model_id: model, alias: 'production' })).toMatchObject({
      ...{ version: 1, arms: [{ name: 'candidate', model: 'hone-tiny', weight: 0.125 }] },
      shadow: { model: 'hone-tiny', share: 0.1, max_cost_usd_per_day: 2 },
    });
    await alias.getByRole('button', { name: 'End split of production' }).click();
    await alias.getByText('step 0', { exact: true }).waitFor();
  });

  it('is not split over what somebody else has changed meanwhile', async () => {
    const params = { model_id: model, alias: 'production' };
    const armOf = (weight: number) => [{ name: 'candidate', model: 'hone-tiny', weight }];
    await suite.hone.training.putAliasSplit(params, { arms: armOf(0.1) });
    const page = await suite.open(`/console/p/${PROJECT}/training/models/${model}`);
    await page.getByRole('button', { name: 'Split production' }).click();
    await suite.hone.training.putAliasSplit(params, { arms: armOf(0.2) });
    const dialog = page.getByRole('dialog', { name: 'Split production' });
    await dialog.getByRole('group', { name: 'Arm 1' }).getByLabel('Percent').fill('50');
    await dialog.getByRole('button', { name: 'Set the split' }).click();
    await dialog.getByText(/The split of 'production' is at version/).waitFor();
    expect((await suite.hone.training.getAliasSplit(params)).arms).toEqual(armOf(0.2));
  });
});
