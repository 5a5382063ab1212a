import type { Hone } from '@hone/client';

import { BUNDLED, type TourEngine } from '../api/engines.js';
import { percent } from '../terminal/plot.js';
import { GOAL } from './learn-by-reward.js';
import { rlTour } from './rl-tour.js';
import { sftTour } from './sft-tour.js';

/** What is trained on both engines. */
export type Training = 'rl' | 'sft';

const TOURS = { rl: rlTour, sft: sftTour };
const TITLES = { rl: 'by rewards', sft: 'by examples' };

/**
 * Trains on an engine and, where this Hone has both, on the embedded one; then shows the shares of held-out questions
 * that each answers.
 *
 * @returns whether every goal was reached. Durations are not among them: servers on a CPU take their time
 */
export async function trainBeside(
  hone: Hone,
  show: (text: string) => void,
  engine: TourEngine,
  trainings: readonly Training[],
): Promise<boolean> {
  const bases: [string, string][] = [[engine.name, engine.base]];
  if (engine.base !== BUNDLED) bases.push(['embedded', BUNDLED]);
  const lines: string[] = [];
  let isMet = true;
  for (const training of trainings) {
    const shares: string[] = [];
    for (const [name, base] of bases) {
      show(`\n${name}, ${TITLES[training]}`);
      const { before, after } = await TOURS[training](hone, show, base);
      shares.push(`${name} ${percent(before)} -> ${percent(after)}`);
      isMet &&= after >= GOAL;
    }
    lines.push(`Held-out questions, ${TITLES[training]}: ${shares.join(', ')}`);
  }
  show(`\n${lines.join('\n')}`);
  return isMet;
}
