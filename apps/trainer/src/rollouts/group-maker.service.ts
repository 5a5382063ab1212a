import type { ArtifactStore } from '@hone/artifacts';
import { type GradeOfAnswerDto, type JsonObject, stringifyJson } from '@hone/contracts';
import type { GroupDraft } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { ARTIFACT_STORE } from '../config/trainer.tokens.js';
import { Grader, outputOf } from './grader.service.js';
import { type Sampled, type SampleOrder, Sampler } from './sampler.service.js';

/** Makes the trajectory group of a prompt: samples answers, grades them, and stores both. */
@Injectable()
export class GroupMaker {
  constructor(
    private readonly sampler: Sampler,
    private readonly grader: Grader,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  /** The group, whose bytes are in the store; nothing refers to them yet. */
  async make(order: SampleOrder): Promise<GroupDraft> {
    const { lease, round, position } = order;
    const sampled = await this.sampler.sample(order);
    const { grades, costNanoUsd } =
      sampled.choices.length === 0
        ? { grades: [], costNanoUsd: 0 }
        : await this.grader.grade(order, sampled.choices.map(outputOf));
    const rewards = grades.flatMap(({ reward }) => (reward === null ? [] : [reward]));
    const line = `${stringifyJson(toGroup(order, sampled, grades))}\n`;
    const key = `jobs/${lease.jobId}/rollouts/r${round}-p${position}-a${lease.attempt}.jsonl`;
    const { uri, bytes, sha256 } = await this.store.put(key, Buffer.from(line));
    return {
      ...{ round, position, uri, bytes, sha256 },
      answers: sampled.choices.length,
      graded: rewards.length,
      rewardSum: rewards.reduce((sum, reward) => sum + reward, 0),
      failures: failuresOf(order, sampled, grades),
      costNanoUsd: sampled.costNanoUsd + costNanoUsd,
    };
  }
}

/** Answers without a reward are left out: no number is made up for them. */
function toGroup(
  { prompt, settings, step, round }: SampleOrder,
  { choices, call }: Sampled,
  grades: readonly GradeOfAnswerDto[],
): JsonObject {
  const trajectories = choices.flatMap((choice, at): JsonObject[] => {
    const { reward = null, verdicts = [] } = grades[at] ?? {};
    if (reward === null) return [];
    const scores = settings.scorers.map(({ criterion }, index) => [criterion, verdicts[index]?.score ?? 0] as const);
    return [
      {
        messages_and_choices: [...prompt.messages, choice],
        reward,
        initial_policy_version: step,
        metrics: Object.fromEntries(scores),
        metadata: { round, ...(call !== null && { call }) },
      },
    ];
  });
  return { trajectories };
}

/** Code -> answers without a reward. */
function failuresOf(
  { settings }: SampleOrder,
  { refused }: Sampled,
  grades: readonly GradeOfAnswerDto[],
): Record<string, number> {
  if (refused !== null) return { [refused]: settings.n };
  const failures: Record<string, number> = {};
  for (const { reward, verdicts } of grades) {
    if (reward !== null) continue;
    const code = verdicts.find(({ score }) => score === null)?.code ?? 'failed';
    failures[code] = (failures[code] ?? 0) + 1;
  }
  return failures;
}
