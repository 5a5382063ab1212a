import { HoneClient } from './api/hone-client.js';
import { isRlGoalMet, rlTour } from './learning/rl-tour.js';
import { isSftGoalMet, sftTour } from './learning/sft-tour.js';
import { readTourConfig } from './tour.config.js';

const show = (text: string): void => console.log(text);

/** What `npm run tour -- <name>` runs; each says whether its goals were met. */
const TOURS: Readonly<Record<string, (client: HoneClient) => Promise<boolean>>> = {
  rl: async (client) => isRlGoalMet(await rlTour(client, show)),
  sft: async (client) => isSftGoalMet(await sftTour(client, show)),
};

const [name = ''] = process.argv.slice(2);
const tour = TOURS[name];
if (tour === undefined) {
  console.error(`Usage: npm run tour -- <${Object.keys(TOURS).join(' | ')}>, against a Hone that runs.`);
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
