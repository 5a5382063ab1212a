/**
 * A client that goes round the whole loop. Its layers, top first; an import may only point down (lint):
 *
 * - story: the whole loop, request by request -> learning, api, terminal
 * - improve: `npm run improve` -> terminal
 * - learning: training until a goal is met -> api, terminal
 * - api: what several chapters ask of Hone
 * - terminal: plots and progress
 * - config: settings
 */
import { parseArgs } from 'node:util';

import { Hone, type HoneOptions } from '@hone/client';

import { BUNDLED, findEngine, type TourEngine } from './api/engines.js';
import { readTourConfig } from './config/tour.config.js';
import { trainBeside } from './learning/beside-embedded.js';
import { isRlGoalMet, rlTour } from './learning/rl-tour.js';
import { isSftGoalMet, sftTour } from './learning/sft-tour.js';
import { isThumbsGoalMet, thumbsTour } from './learning/thumbs-tour.js';
import { tellStory } from './story/story.js';

const USAGE = `Usage, against a Hone that runs:
  npm run tour              the whole loop, request by request, in about a minute
  npm run tour -- --fast    the same with less training
  npm run tour -- rl        learning from rewards, until held-out questions are answered
  npm run tour -- sft       learning from examples
  npm run tour -- thumbs    learning from thumbs on single answers
With --engine <name> it trains on that engine of HONE_ENGINES, and on the embedded engine beside it if the file gives
the bundled model another name there.`;

const show = (text: string): void => console.log(text);

type Tour = (options: HoneOptions, engine: TourEngine | null) => Promise<boolean>;

const story =
  (fast: boolean): Tour =>
  async (options, engine) => {
    await tellStory(options, show, fast, engine?.base ?? BUNDLED);
    return engine === null || fast || trainBeside(new Hone(options), show, engine, ['rl', 'sft']);
  };

/** Each says whether its goals were met. */
const TOURS: Readonly<Record<string, Tour>> = {
  '': story(false),
  fast: story(true),
  rl: async (options, engine) =>
    engine
      ? trainBeside(new Hone(options), show, engine, ['rl'])
      : isRlGoalMet(await rlTour(new Hone(options), show, BUNDLED)),
  sft: async (options, engine) =>
    engine
      ? trainBeside(new Hone(options), show, engine, ['sft'])
      : isSftGoalMet(await sftTour(new Hone(options), show, BUNDLED)),
  thumbs: async (options, engine) =>
    isThumbsGoalMet(await thumbsTour(new Hone(options), show, engine?.base ?? BUNDLED)),
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
  const options = readTourConfig();
  const engine = asked?.engine === undefined ? null : await findEngine(new Hone(options), asked.engine);
  if (engine) show(`${engine.base} is trained on ${engine.name} (${engine.kind}).`);
  const isMet = await tour(options, engine);
  if (!isMet) console.error('The goal was not reached.');
  process.exitCode = isMet ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
