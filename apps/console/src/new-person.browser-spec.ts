import type { Page } from 'playwright-core';

import { ConsoleSuite } from './testing/console-suite.fixture.js';
import { ownName } from './testing/seeds/projects.fixture.js';

const QUESTION = 'What is 9 minus 4?';

describe('somebody who is new to the console', () => {
  const suite = ConsoleSuite.of(() => Promise.resolve());
  const name = ownName('newcomer');

  const ask = async (page: Page) => {
    await page.getByLabel('Message').fill(QUESTION);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  const follow = (page: Page, link: string) => page.getByRole('link', { name: link, exact: true }).click();

  it('goes round the whole loop: asks, judges, trains, looks inside, compares, and decides', async () => {
    const { path } = await suite.hone.accounts.createSignInCode();
    const page = await suite.visit(path);

    await follow(page, 'Training');
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create model' }).click();
    await follow(page, 'Talk to its newest checkpoint');

    // The same question twice at a time: answers that are compared need the same prompt.
    await page.getByRole('button', { name: 'Compare with another' }).click();
    await page.getByText('Parameters', { exact: true }).click();
    await page.getByLabel('Temperature').fill('1.5');
    await page.getByLabel('Max tokens').fill('12');
    const answers = page.getByRole('region', { name: new RegExp(name) });
    for (let round = 0; round < 2; round++) {
      await ask(page);
      await answers.nth(0).getByRole('button', { name: 'Good answer' }).click();
      await answers.nth(1).getByRole('button', { name: 'Bad answer' }).click();
      await answers.nth(0).getByRole('button', { name: 'Good answer', pressed: true }).waitFor();
      await answers.nth(1).getByRole('button', { name: 'Bad answer', pressed: true }).waitFor();
      if (round === 0) await page.getByRole('button', { name: 'New conversation' }).click();
    }

    await answers.nth(0).getByRole('link', { name: 'Open this call' }).click();
    await page.getByRole('img', { name: 'Good answer' }).waitFor();

    await follow(page, 'Training');
    await follow(page, name);
    await follow(page, 'Train');
    await page.getByLabel('Learning rate').fill('2e-3');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('would train', { exact: true }).waitFor();
    await page.getByText('4 of').waitFor();
    await page.getByRole('button', { name: 'Train', exact: true }).click();

    await page.getByText('succeeded').waitFor();
    await page.getByRole('img', { name: /^loss over \d+ steps$/ }).waitFor();
    await page.getByRole('button', { name: '2 rollouts with reward 1' }).click();
    await page.getByRole('list', { name: 'Rollouts' }).getByRole('button').first().click();
    await page
      .getByRole('article', { name: /^Rollout \d$/ })
      .nth(3)
      .getByText(QUESTION)
      .waitFor();

    await follow(page, 'its model');
    await follow(page, 'Compare with its base');
    await ask(page);
    await page.getByRole('link', { name: 'Open this call' }).nth(1).waitFor();

    await page.goBack();
    await page.getByRole('button', { name: 'Set production' }).click();
    await page
      .getByRole('region', { name: 'Checkpoints', exact: true })
      .getByText('production', { exact: true })
      .waitFor();

    const { data } = await suite.hone.training.listTrainableModels({ name });
    const [model] = data;
    const aliases = await suite.hone.training.listCheckpointAliases({ model_id: model?.id as string });
    expect(aliases.data).toMatchObject([{ alias: 'production', step: 1 }]);
  });
});
