/**
 * A client that goes round the whole loop. Its layers, top first; an import may only point down (lint):
 *
 * - story: the whole loop, request by request -> learning, api, terminal
 * - learning: training until a goal is met -> api, terminal
 * - api: requests to Hone -> config
 * - terminal: plots and progress
 * - config: settings
 */
import { parseArgs } from 'node:util';

import { describeEngine } from './api/engines.js';
import { HoneClient } from './api/hone-client.js';
import { isRlGoalMet, rlTour } from './learning/rl-tour.js';
import { isSftGoalMet, sftTour } from './learning/sft-tour.js';
import { tellStory } from './story/story.js';
import { readTourConfig } from './config/tour.config.js';

const USAGE = `Usage, against a Hone that runs:
  npm run tour              the whole loop, request by request, in about a minute
  npm run tour -- --fast    the same with less training
  npm run tour -- rl        learning from rewards, until held-out questions are answered
  npm run tour -- sft       learning from examples
With --engine <name> it begins only if that engine of HONE_ENGINES trains the bundled model.`;

const show = (text: string): void => console.log(text);

/** Each says whether its goals were met. */
const TOURS: Readonly<Record<string, (client: HoneClient) => Promise<boolean>>> = {
  '': (client) => tellStory(client, show, false).then(() => true),
  fast: (client) => tellStory(client, show, true).then(() => true),
  rl: async (client) => isRlGoalMet(await rlTour(client, show)),
  sft: async (client) => isSftGoalMet(await sftTour(client, show)),
};

/** Null: they are not understood. */
function readArguments() {
  const options = { engine: { type: 'string' }, fast: { type: 'boolean' } } as const;
  try {
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    return { tour: [...positionals, ...(values.fast ? ['fast'] : [])].join(' '), engine: values.engine };
  } catch {
    return null;
  }
}

const asked = readArguments();
const tour = asked === null ? undefined : TOURS[asked.tour];
if (tour === undefined) {
  console.error(USAGE);
  process.exit(2);
}
try {
  const client = new HoneClient(readTourConfig());
  if (asked?.engine !== undefined) show(await describeEngine(client, asked.engine));
  const isMet = await tour(client);
  if (!isMet) console.error('The goal was not reached.');
  process.exitCode = isMet ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
