import { type GroupDraft, JobRounds, type Lease, type RolloutSettings, type RoundState } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import { TrainingData } from '../data/training-data.js';
import type { AttemptWorkspace } from '../workspace/attempt-workspace.js';
import { GroupMaker } from './group-maker.service.js';
import { Prompts } from './prompts.js';
import { NothingGradedError, NothingSampledError } from './rollouts.errors.js';
import { isBudgetSpent } from './round-rollouts.js';

/** Groups that are sampled at once. */
const AT_ONCE = 4;
const MAX_ROUNDS = 1_000;

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
    { job, parent, groups }: RoundState,
    prompts: Prompts,
    signal: AbortSignal,
  ): Promise<GroupDraft[]> {
    const settings = job.rollouts as RolloutSettings;
    const names = await this.rounds.findNames(lease);
    const settled = new Set(groups.map(({ position }) => position));
    const size = Math.min(settings.prompts_per_round, prompts.length);
    const open = Array.from({ length: size }, (_, position) => position).filter((one) => !settled.has(one));
    const scope = new AbortController();
    const made: GroupDraft[] = [];
    let spentNanoUsd = job.data.rollouts?.costNanoUsd ?? 0;
    const order = {
      ...{ lease, names, settings, keyId: job.keyId as string, round: job.roundsDone, step: parent?.step ?? 0 },
      signal: AbortSignal.any([signal, scope.signal]),
    };
    const lane = async (): Promise<void> => {
      while (!isBudgetSpent(settings, spentNanoUsd)) {
        const position = open.shift();
        if (position === undefined) return;
        const prompt = prompts.at(job.roundsDone * size + position);
        const group = await this.groups.make({ ...order, position, prompt });
        await this.rounds.settle(lease, group);
        made.push(group);
        spentNanoUsd += group.costNanoUsd;
      }
    };
    await allOrFirstError(Array.from({ length: AT_ONCE }, lane), scope);
    return made;
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
