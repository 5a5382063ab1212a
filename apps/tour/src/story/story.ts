import type { HoneOptions } from '@hone/client';

import { learnFromTraffic } from './learn-from-traffic.js';
import { Narrator } from './narrator.js';
import { type Stage, traceAndJudge } from './trace-and-judge.js';
import { trainAndServe } from './train-and-serve.js';

const PROJECT = 'tour';

/**
 * The whole loop in one story, every endpoint of the interface in it.
 *
 * @param fast fewer training jobs: shows that all works, not how well it learns
 * @param base that is trained
 */
export async function tellStory(
  options: HoneOptions,
  show: (text: string) => void,
  fast: boolean,
  base: string,
): Promise<void> {
  const narrator = new Narrator(options, show);
  narrator.chapter('Who is asking');
  await narrator.request('Is it up?', (hone) => hone.training.getHealth());
  await narrator.request('And all that it needs?', (hone) => hone.training.checkSystem());
  const { user } = await narrator.request(
    'Whose key is this?',
    (hone) => hone.accounts.getMe(),
    (answer) => ({ username: answer.user.username, default_entity: answer.user.default_entity }),
  );
  const stage: Stage = { entity: user.default_entity, project: PROJECT, tag: Date.now().toString(36), base };
  await traceAndJudge(narrator, stage);
  await trainAndServe(narrator, stage, fast);
  await learnFromTraffic(narrator, stage, fast);
  narrator.chapter('What it used');
  await narrator.request(
    'By model, today.',
    (hone) => hone.inference.getUsage({ project: `${stage.entity}/default`, by: 'model' }),
    ({ data }) => data.slice(0, 2),
  );
}
