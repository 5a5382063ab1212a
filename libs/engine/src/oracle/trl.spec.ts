import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadBase } from '../job/loaded-base.js';
import { referenceSums, stepPreferences } from '../job/preference-row.js';
import { PROJECTIONS } from '../model/config/projections.js';
import type { PlannedSequence } from '../plan/plan.js';
import { type PreferenceConfigInput, resolvePreferenceConfig } from '../plan/preference-config.js';
import { toMismatched } from '../plan/preference-sequences.js';
import { trainedLayout, type TrainedPart } from '../train/trained-parameters.js';
import { freshState, Trainer } from '../train/trainer.js';
import { numbers } from './numbers.fixture.js';

interface Answer {
  readonly prompt_ids: number[];
  readonly completion_ids?: number[];
  readonly chosen_ids?: number[];
  readonly rejected_ids?: number[];
  readonly label?: boolean;
}

interface Case {
  readonly settings: PreferenceConfigInput;
  readonly data: readonly Answer[];
  readonly steps: readonly Record<string, number>[];
}

/** A file that trl/make_expected.py wrote. */
const EXPECTED = JSON.parse(readFileSync(join(import.meta.dirname, 'trl/expected.json'), 'utf8')) as {
  readonly rate: number;
  readonly rank: number;
  readonly alpha: number;
  readonly cases: Record<string, Case>;
};
const HONE_TINY = join(import.meta.dirname, '../../../../models/hone-tiny');
const PART: TrainedPart = {
  kind: 'lora',
  lora: { rank: EXPECTED.rank, alpha: EXPECTED.alpha, targets: PROJECTIONS },
};
const OPTIMISER = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, maxGradientNorm: 1 };
const RELATIVE = 1e-5;

const trainers: Trainer[] = [];
afterEach(() => Promise.all(trainers.splice(0).map((trainer) => trainer.release())));

async function aTrainer(): Promise<Trainer> {
  const { model, weights } = await loadBase(HONE_TINY, 1e7, 'f32');
  const layout = trainedLayout(model.config, PART);
  const parameters = new Float32Array(layout.size);
  for (const { name, offset, size } of layout.slots) {
    const scale = name.includes('lora_A') ? 0.05 : 0.02;
    parameters.set(
      numbers(name, size).map((value) => value * scale),
      offset,
    );
  }
  const settings = { config: model.config, part: PART, loss: { kind: 'sft' } as const, optimiser: OPTIMISER };
  const trainer = new Trainer(settings, weights, freshState(parameters), 2);
  trainers.push(trainer);
  return trainer;
}

const planned = (prompt: number[], answer: number[], role: PlannedSequence['role'], weight = 1): PlannedSequence => ({
  ids: [...prompt, ...answer],
  mask: [...prompt.map(() => 0 as const), ...answer.map(() => 1 as const)],
  old: null,
  adv: null,
  weight,
  role,
});

function rowOf({ settings, data }: Case): PlannedSequence[] {
  if (settings.method !== 'kto') {
    return data.flatMap(({ prompt_ids, chosen_ids = [], rejected_ids = [] }) => [
      planned(prompt_ids, chosen_ids, 'chosen'),
      planned(prompt_ids, rejected_ids, 'rejected'),
    ]);
  }
  const { desirable_weight, undesirable_weight } = settings;
  const answers = data.map(({ prompt_ids, completion_ids = [], label }) =>
    planned(
      prompt_ids,
      completion_ids,
      label ? 'desirable' : 'undesirable',
      (label ? desirable_weight : undesirable_weight) ?? 1,
    ),
  );
  const mismatched = answers.map((prompt, at) => toMismatched(prompt, answers.at(at - 1) as PlannedSequence, 1_024)!);
  return [...answers, ...mismatched];
}

/** TRL's names of what a step reports, and ours. Sums of log-probabilities are of the size of `scale`. */
const expectClose = (name: string, found: number, expected: number, scale: number) =>
  expect([name, Math.abs(found - expected) <= RELATIVE * Math.max(Math.abs(expected), scale)]).toEqual([name, true]);

describe('preference losses beside TRL', () => {
  it.each(Object.entries(EXPECTED.cases))('%s: 20 steps', async (_name, expected) => {
    const settings = resolvePreferenceConfig(expected.settings);
    const trainer = await aTrainer();
    const row = rowOf(expected);
    const parameters = Float32Array.from(trainer.current.parameters);
    const reference = { score: (sequences: Parameters<Trainer['score']>[0]) => trainer.score(sequences, parameters) };
    const sums = await referenceSums(row, settings.method === 'orpo' ? null : reference);
    for (const [at, step] of expected.steps.entries()) {
      const { scored, gradientNorm } = await stepPreferences(settings, row, trainer, sums, EXPECTED.rate);
      const { loss, findings } = scored;
      const nats = Math.abs(step['logps/chosen'] ?? 0);
      const values: [string, number, number][] = [
        ['loss', loss, 0],
        ['grad_norm', gradientNorm, 0],
        ['rewards/chosen', findings.rewardChosen, nats * settings.beta],
        ['rewards/rejected', findings.rewardRejected, nats * settings.beta],
        ...(settings.method === 'orpo'
          ? []
          : ([
              ['logps/chosen', findings.logpChosen, 0],
              ['logps/rejected', findings.logpRejected, 0],
            ] satisfies [string, number, number][])),
        ...(settings.method === 'kto'
          ? ([['kl', findings.divergence, nats]] satisfies [string, number, number][])
          : ([['rewards/accuracies', findings.accuracy, 0]] satisfies [string, number, number][])),
      ];
      for (const [name, found, scale] of values) {
        expectClose(`${name} of step ${at + 1}: ${found} for ${step[name]}`, found, step[name] ?? NaN, scale);
      }
    }
  });
});
