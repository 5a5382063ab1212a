/**
 * A client that goes round the whole loop. Its layers, top first; an import may only point down (lint):
 *
 * - story: the whole loop, request by request -> learning, api, terminal
 * - learning: training until a goal is met -> api, terminal
 * - api: requests to Hone -> config
 * - terminal: plots and progress
 * - config: settings
 */
import { HoneClient } from './api/hone-client.js';
import { isRlGoalMet, rlTour } from './learning/rl-tour.js';
import { isSftGoalMet, sftTour } from './learning/sft-tour.js';
import { tellStory } from './story/story.js';
import { readTourConfig } from './config/tour.config.js';

const USAGE = `Usage, against a Hone that runs:
  npm run tour              the whole loop, request by request, in about a minute
  npm run tour -- --fast    the same with less training
  npm run tour -- rl        learning from rewards, until held-out questions are answered
  npm run tour -- sft       learning from examples`;

const show = (text: string): void => console.log(text);

/** Each says whether its goals were met. */
const TOURS: Readonly<Record<string, (client: HoneClient) => Promise<boolean>>> = {
  '': (client) => tellStory(client, show, false).then(() => true),
  '--fast': (client) => tellStory(client, show, true).then(() => true),
  rl: async (client) => isRlGoalMet(await rlTour(client, show)),
  sft: async (client) => isSftGoalMet(await sftTour(client, show)),
};

const tour = TOURS[process.argv.slice(2).join(' ')];
if (tour === undefined) {
  console.error(USAGE);
  process.exit(2);
}
try {
  const isMet = await tour(new HoneClient(readTourConfig()));
  if (!isMet) console.error('The goal was not reached.');
  process.exitCode = isMet ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
