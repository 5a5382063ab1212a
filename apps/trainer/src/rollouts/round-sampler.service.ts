import type { PromptLine } from '@hone/engine';
import { type GroupDraft, JobRounds, type Lease, type RolloutSettings, type RoundState } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import { TrainingData } from '../data/training-data.js';
import { whenDatabaseAnswers } from '../database/when-database-answers.js';
import type { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import { GroupMaker } from './group-maker.service.js';
import { Prompts } from './prompts.js';
import { NothingGradedError, NothingSampledError } from './rollouts.errors.js';
import { isBudgetSpent } from './round-rollouts.js';
import type { SampleOrder } from './sampler.service.js';

/** Groups that are sampled at once. */
const AT_ONCE = 4;
const MAX_ROUNDS = 1_000;

/** The groups that a round lacks, which several lanes make. */
interface Work {
  readonly order: Omit<SampleOrder, 'position' | 'prompt'>;
  readonly promptAt: (position: number) => PromptLine;
  /** Positions that no lane has begun. */
  readonly open: number[];
  readonly made: GroupDraft[];
  spentNanoUsd: number;
}

/** Samples and grades the groups that a round lacks. */
@Injectable()
export class RoundSampler {
  constructor(
    private readonly rounds: JobRounds,
    private readonly data: TrainingData,
    private readonly groups: GroupMaker,
  ) {}

  /**
   * Each group is settled as soon as it is graded. Once the budget is spent no further one is begun.
   *
   * @throws RolloutError, DataError, PlanError; the reason of `signal`
   */
  async sample(lease: Lease, state: RoundState, workspace: AttemptWorkspace, signal: AbortSignal): Promise<void> {
    const { job, groups } = state;
    const settings = job.rollouts as RolloutSettings;
    const prompts = await Prompts.read(await this.data.fetch(job, workspace, signal), settings.seed);
    if ((job.data.rollouts?.rounds ?? null) === null) await this.fixRounds(lease, settings, prompts);
    const made = [...groups, ...(await this.fill(lease, state, prompts, signal))];
    assertUsable(made);
  }

  private async fixRounds(lease: Lease, settings: RolloutSettings, prompts: Prompts): Promise<void> {
    const onePass = Math.ceil(prompts.length / settings.prompts_per_round);
    await this.rounds.setRounds(lease, settings.rounds ?? Math.min(MAX_ROUNDS, onePass));
  }

  private async fill(
    lease: Lease,
    state: RoundState,
    prompts: Prompts,
    signal: AbortSignal,
  ): Promise<readonly GroupDraft[]> {
    const scope = new AbortController();
    const work = await this.workOf(lease, state, prompts, AbortSignal.any([signal, scope.signal]));
    const lanes = Array.from({ length: AT_ONCE }, () => this.work(work, signal));
    await allOrFirstError(lanes, scope);
    return work.made;
  }

  private async workOf(
    lease: Lease,
    { job, parent, groups }: RoundState,
    prompts: Prompts,
    signal: AbortSignal,
  ): Promise<Work> {
    const settings = job.rollouts as RolloutSettings;
    const settled = new Set(groups.map(({ position }) => position));
    const size = Math.min(settings.prompts_per_round, prompts.length);
    const [round, step, keyId] = [job.roundsDone, parent?.step ?? 0, job.keyId as string];
    return {
      order: { lease, names: await this.rounds.findNames(lease), settings, keyId, round, step, signal },
      promptAt: (position) => prompts.at(round * size + position),
      open: Array.from({ length: size }, (_, position) => position).filter((position) => !settled.has(position)),
      made: [],
      spentNanoUsd: job.data.rollouts?.costNanoUsd ?? 0,
    };
  }

  /** @param signal a group that is made is settled as long as the attempt goes on, also when another one fails */
  private async work(work: Work, signal: AbortSignal): Promise<void> {
    const { order, promptAt, open, made } = work;
    while (!isBudgetSpent(order.settings, work.spentNanoUsd)) {
      const position = open.shift();
      if (position === undefined) return;
      const group = await this.groups.make({ ...order, position, prompt: promptAt(position) });
      await whenDatabaseAnswers(() => this.rounds.settle(order.lease, group), signal);
      made.push(group);
      work.spentNanoUsd += group.costNanoUsd;
    }
  }
}

/** Ends the other lanes when one fails; the first error is the cause, and no lane works on after it. */
async function allOrFirstError(lanes: readonly Promise<void>[], scope: AbortController): Promise<void> {
  let first: { readonly error: unknown } | undefined;
  const ended = lanes.map((lane) =>
    lane.catch((error: unknown) => {
      first ??= { error };
      scope.abort(error);
    }),
  );
  await Promise.all(ended);
  if (first) throw first.error;
}

function assertUsable(groups: readonly GroupDraft[]): void {
  const codes = [...new Set(groups.flatMap(({ failures }) => Object.keys(failures)))].sort();
  if (groups.every(({ answers }) => answers === 0)) throw new NothingSampledError(codes);
  if (groups.every(({ graded }) => graded === 0)) throw new NothingGradedError(codes);
}
