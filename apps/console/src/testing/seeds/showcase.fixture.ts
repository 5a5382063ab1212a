import type { Hone } from '@hone/client';

import { seedAgentTraces } from './agent-traces.fixture.js';
import { rate, seedQueue } from './annotation.fixture.js';
import { seedChats, seedRetrieval } from './calls.fixture.js';
import { seedHostileDashboard, seedShowcaseDashboard } from './dashboards.fixture.js';
import { seedDataset, seedLargeDataset } from './datasets.fixture.js';
import { seedEvaluation, seedFailedJob, seedJudgedRuns, seedPairs } from './evaluations.fixture.js';
import { seedGate } from './gates.fixture.js';
import { SeededGateway } from './gateway.fixture.js';
import { seedCorrections, seedImprovable, seedImprovement, untilImproved } from './improvements.fixture.js';
import { seedMonth } from './month.fixture.js';
import { seedMessagesPrompt, seedPrompt } from './objects.fixture.js';
import { makeProject } from './projects.fixture.js';
import { seedBiasReport, seedOrderedJudge, seedScorers } from './scorers.fixture.js';
import { seedThread } from './threads.fixture.js';
import { train, trainByRewards } from './training.fixture.js';

const PROJECT = 'local/default';
const EXAMPLES = 300;

/** Something of everything that pages show in `local/default`, and an empty project. @returns ids of what to look at */
export async function seedShowcase(hone: Hone, upstreamsFile: string) {
  await makeProject(hone, 'local/empty');
  await makeProject(hone, 'local/month');
  await seedMonth(hone, 'local/month', 65);
  const dashboards = {
    full: await seedShowcaseDashboard(hone, 'local/month'),
    hostile: await seedHostileDashboard(hone, 'local/month'),
  };
  await makeProject(hone, 'local/agents');
  await seedAgentTraces(hone, 'local/agents');
  const improvement = await seedImproved(hone, 'local/improved');
  const chat = await seedChats(hone, PROJECT, 4);
  const root = await seedRetrieval(hone, PROJECT);
  const queue = await seedQueue(hone, PROJECT, 'Wrong answers');
  await rate(hone, PROJECT, queue, [2]);
  const dataset = await seedDataset(hone, PROJECT, 'sums');
  await seedLargeDataset(hone, PROJECT, 'many_questions', 100_000);
  const prompt = await seedPrompt(hone, PROJECT);
  const parrot = await seedMessagesPrompt(hone, PROJECT, 'parrot');
  const { runs } = await seedEvaluation(hone, PROJECT, dataset, { small: 2, medium: 3, large: 5 });
  const { check, judge, spec } = await seedScorers(hone, PROJECT);
  const bias = await seedBiasReport(hone, PROJECT, { check, judge, spec });
  const { runs: judged } = await seedJudgedRuns(hone, PROJECT, { check, judge });
  const gate = { runs: [...judged], look_every: 10 };
  const gates = [
    await seedGate(hone, PROJECT, { ...gate, name: 'Says thanks', metric: 'scores.says_thanks.passed', min_gain: 0.1 }),
    await seedGate(hone, PROJECT, { ...gate, metric: 'scores.helpful_judge.helpful' }),
  ].map(({ id }) => id);
  const pairs = await seedPairs(hone, PROJECT);
  const ordered = await seedOrderedJudge(hone, PROJECT);
  const failed = await seedFailedJob(hone, PROJECT, { dataset: 'repeated', scorer: check });
  await seedThread(hone, PROJECT, 'support-1');
  const { model, job } = await train(hone, 'tutor', EXAMPLES);
  const { job: faster } = await train(hone, 'tutor-faster', EXAMPLES, { learning_rate: 1e-3, n_epochs: 1 });
  const rewarded = await trainByRewards(hone, model);
  const gateway = await SeededGateway.start(hone, upstreamsFile);
  for (const route of ['team-chat', 'wavering', 'limited']) await gateway.ask(route, PROJECT, 3);
  await gateway.ask('broken', PROJECT, 5);
  return {
    root,
    chat,
    dashboards,
    dataset,
    prompt,
    parrot,
    runs,
    ...{ judged, gates, pairs, failed, ordered },
    ...{ check, judge, spec, bias },
    queue: queue.queue,
    thread: 'support-1',
    model,
    job,
    faster,
    rewarded,
    improvement,
    gateway,
    target: 'broken/status@500',
  };
}

/** A project with an improvement that has ended. @returns its id */
async function seedImproved(hone: Hone, project: string): Promise<string> {
  await makeProject(hone, project);
  const model = await seedImprovable(hone, project);
  await seedCorrections(hone, project);
  const { id } = await untilImproved(hone, await seedImprovement(hone, project, model));
  return id as string;
}
