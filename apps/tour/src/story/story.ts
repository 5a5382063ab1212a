import type { HoneClient } from '../api/hone-client.js';
import { learnFromTraffic } from './learn-from-traffic.js';
import { Narrator } from './narrator.js';
import { traceAndJudge, type Stage } from './trace-and-judge.js';
import { trainAndServe } from './train-and-serve.js';

const PROJECT = 'tour';

/**
 * The whole loop in one story, every endpoint of the interface in it.
 *
 * @param fast fewer training jobs: shows that all works, not how well it learns
 * @param base that is trained
 */
export async function tellStory(
  client: HoneClient,
  show: (text: string) => void,
  fast: boolean,
  base: string,
): Promise<void> {
  const narrator = new Narrator(client, show);
  narrator.chapter('Who is asking');
  await narrator.request('Is it up?', 'GET', '/v1/health', undefined, (answer) => answer);
  await narrator.request('And all that it needs?', 'GET', '/v1/system-check', undefined, (answer) => answer);
  const { user } = await narrator.request<{ user: { username: string; default_entity: string } }>(
    'Whose key is this?',
    'GET',
    '/account/me',
    undefined,
    (answer) => ({ username: answer.user.username, default_entity: answer.user.default_entity }),
  );
  const stage: Stage = { entity: user.default_entity, project: PROJECT, tag: Date.now().toString(36), base };
  await traceAndJudge(narrator, stage);
  await trainAndServe(narrator, stage, fast);
  await learnFromTraffic(narrator, stage, fast);
  narrator.chapter('What it used');
  await narrator.request<{ data: unknown[] }>(
    'By model, today.',
    'GET',
    `/v1/usage?project=${stage.entity}/default&by=model`,
    undefined,
    ({ data }) => data.slice(0, 2),
  );
}
