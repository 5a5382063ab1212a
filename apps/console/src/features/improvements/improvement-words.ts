import type { ImprovementCandidateDto, ImprovementDto, ImprovementWinRateDto } from '@hone/client';

import { formatShare } from '../../shared/format/format.js';
import type { Tone } from '../../shared/ui/badge.js';

interface Said {
  readonly text: string;
  readonly tone: Tone;
}

const STATUSES: Readonly<Record<ImprovementDto['status'], Said>> = {
  proposed: { text: 'proposed', tone: 'muted' },
  running: { text: 'running', tone: 'warn' },
  promoted: { text: 'promoted', tone: 'good' },
  kept: { text: 'current one stays', tone: 'muted' },
  needs_labels: { text: 'needs labels', tone: 'warn' },
  no_data: { text: 'nothing to learn from', tone: 'muted' },
  refused: { text: 'refused', tone: 'bad' },
  alias_moved: { text: 'alias moved', tone: 'warn' },
  failed: { text: 'failed', tone: 'bad' },
  cancelled: { text: 'cancelled', tone: 'muted' },
};

/** How an improvement stands. */
export const saidOf = ({ status }: Pick<ImprovementDto, 'status'>): Said => STATUSES[status];

const STATES: Readonly<Record<ImprovementCandidateDto['state'], Said>> = {
  possible: { text: 'possible', tone: 'good' },
  not_possible: { text: 'not possible', tone: 'muted' },
  training: { text: 'training', tone: 'warn' },
  trained: { text: 'trained', tone: 'warn' },
  failed: { text: 'failed', tone: 'bad' },
  better: { text: '▲ better', tone: 'good' },
  not_better: { text: 'not better', tone: 'muted' },
  worse: { text: '▼ worse', tone: 'bad' },
  needs_labels: { text: 'needs labels', tone: 'warn' },
  promoted: { text: '▲ promoted', tone: 'good' },
};

/** How a candidate stands. */
export const saidOfCandidate = ({ state }: Pick<ImprovementCandidateDto, 'state'>): Said => STATES[state];

/** Name of a method, and what it learns from. */
export const METHODS: Readonly<Record<ImprovementCandidateDto['method'], readonly [name: string, from: string]>> = {
  sft: ['SFT', 'corrections'],
  dpo: ['DPO', 'better and worse answers'],
  kto: ['KTO', 'thumbs'],
  rl: ['RL', 'rewards of its own answers'],
  distill: ['Distillation', 'answers of a stronger model'],
  prompt: ['Prompt', 'edits after reading failures'],
};

export type StepState = 'done' | 'now' | 'waits' | 'left out';

interface Step {
  readonly step: string;
  readonly state: StepState;
}

type Progress = Pick<ImprovementDto, 'step' | 'status' | 'candidates' | 'current_run_id' | 'dataset'>;

/** What an improvement does one after the other -> whether it got there before it ended. */
const STEPS = [
  ['data', 'training data', ({ dataset }: Progress) => dataset !== null],
  [
    'training',
    'training',
    ({ candidates }: Progress) => candidates.some((one) => (one.training_job_id ?? one.prompt_edit_id) !== null),
  ],
  ['evaluation', 'answers', (one: Progress) => one.current_run_id !== null],
  ['gate', 'gates', ({ candidates }: Progress) => candidates.some((one) => one.gate_id !== null)],
  ['promotion', 'promotion', ({ status }: Progress) => status === 'promoted'],
] as const;

/** The steps of an improvement, and how far it is with each. */
export function stepsOf(improvement: Progress): readonly Step[] {
  const now = STEPS.findIndex(([step]) => step === improvement.step);
  return STEPS.map(([, step, wasReached], at) => {
    if (now < 0) return { step, state: wasReached(improvement) ? 'done' : 'left out' };
    return { step, state: at < now ? 'done' : at === now ? 'now' : 'waits' };
  });
}

/** Whether it was, is, or will be tried; the calls do not allow the others. */
export const isTried = ({ state }: Pick<ImprovementCandidateDto, 'state'>): boolean => state !== 'not_possible';

/** What the line of a win rate shows, for those who do not see it. */
export const rateInWords = ({ estimate, low, high }: ImprovementWinRateDto): string =>
  `Wins ${formatShare(estimate)}, interval ${formatShare(low)} to ${formatShare(high)}, which ${
    low <= 0.5 && high >= 0.5 ? 'holds' : 'leaves out'
  } a half`;

/** `better` or `worse` where the interval leaves out a half. */
export const changeOf = ({ low, high }: ImprovementWinRateDto): 'better' | 'worse' | 'same' =>
  low > 0.5 ? 'better' : high < 0.5 ? 'worse' : 'same';
