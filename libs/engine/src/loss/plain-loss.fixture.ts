import type { LossSettings, RlLoss } from './loss-settings.js';

/** The trained tokens of one sequence: log-probabilities now, and as constants where a formula has a stop-gradient. */
export interface PlainSequence {
  readonly lp: number[];
  readonly frozen: number[];
  readonly old: number[];
  readonly advantage: number[];
  readonly weight: number[];
  readonly drift: number[];
}

/** The loss of a row as its formula is written, token by token in float64. */
export function plainLoss(loss: LossSettings, row: readonly PlainSequence[]): number {
  return row
    .flatMap((sequence) =>
      sequence.lp.map((_, at) => (loss.kind === 'sft' ? crossEntropy(sequence, at) : policy(loss, sequence, at))),
    )
    .reduce((sum, value) => sum + value, 0);
}

const crossEntropy = ({ lp, weight }: PlainSequence, at: number) => -(lp[at] as number) * (weight[at] as number);

function policy(loss: RlLoss, sequence: PlainSequence, at: number): number {
  const old = sequence.old.map((value, i) => (Number.isNaN(value) ? (sequence.frozen[i] as number) : value));
  const differences = (lp: number[]) => lp.map((value, i) => value - (old[i] as number));
  const stopped = ratio(loss, differences(sequence.frozen), at);
  const advantage = (sequence.advantage[at] as number) - loss.tau * (differences(sequence.frozen)[at] as number);
  const drift = sequence.drift[at] as number;
  const truncation = loss.truncation === null ? 1 : Math.min(Number.isNaN(drift) ? stopped : drift, loss.truncation);
  const weight = (sequence.weight[at] as number) * truncation;
  const now = ratio(loss, differences(sequence.lp), at);
  switch (loss.lossFn) {
    case 'cispo':
      return -clip(loss, stopped) * advantage * (sequence.lp[at] as number) * weight;
    case 'ppo':
      return -Math.min(now * advantage, clip(loss, now) * advantage) * weight;
  }
}

const clip = (loss: RlLoss, value: number) => Math.min(Math.max(value, 1 - loss.epsilon), 1 + loss.epsilonHigh);

function ratio(loss: RlLoss, differences: number[], at: number): number {
  const own = differences[at] as number;
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  const level = {
    token: Math.exp(own),
    sequence: Math.exp(mean),
    average: (Math.exp(own) + Math.exp(mean)) / 2,
    geometric_average: Math.sqrt(Math.exp(own) * Math.exp(mean)),
  }[loss.level];
  const limited = Math.min(level, loss.maxRatio ?? Infinity);
  const masked = loss.maskOutsideClip && !(limited > 1 - loss.epsilon && limited < 1 + loss.epsilonHigh);
  return masked ? 0 : limited;
}
