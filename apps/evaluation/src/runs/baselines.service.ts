import { parseRef } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import type { Scorer } from '../scorers/scorer-reader.service.js';
import { BaselineAnswersRepository } from './baseline-answers.repository.js';
import type { PlannedBaseline, PlannedCandidate } from './evaluation-job.record.js';
import { refused } from './job-form.js';

/** Finds what answers are compared with. */
@Injectable()
export class Baselines {
  constructor(private readonly answers: BaselineAnswersRepository) {}

  /**
   * @param name of a candidate, or the id or ref of an evaluation run; null: the request names nothing
   * @returns null: the scorers say themselves what they compare with, or none compares
   * @throws ValidationError
   */
  async find(
    project: OwnProject,
    name: string | null,
    scorers: readonly Scorer[],
    candidates: readonly PlannedCandidate[],
  ): Promise<PlannedBaseline | null> {
    const comparing = scorers.flatMap(({ definition }, at) => (definition.kind === 'pairwise' ? [at + 1] : []));
    if (name === null) {
      const lost = scorers.find(({ definition: { pairwise } }) => pairwise && (pairwise.against ?? null) === null);
      if (lost) throw refused(`Scorer '${lost.objectId}' compares answers with a baseline: name one`, 'baseline');
      return null;
    }
    if (comparing.length === 0) throw refused('None of the scorers compares answers', 'baseline');
    const at = candidates.findIndex(({ model }) => model.objectId === name);
    if (at >= 0) {
      if (candidates.length === 1) throw refused('There is no other candidate to compare with it', 'baseline');
      return { runId: (candidates[at] as PlannedCandidate).runId, candidate: at, scorers: comparing };
    }
    const runId = runIdOf(name, project);
    if (runId === null || !(await this.answers.hasRun(project.rowId, runId)))
      throw refused('There is no such candidate, nor such an evaluation run', 'baseline');
    return { runId, candidate: null, scorers: comparing };
  }
}

/** Null: it is the ref of something else. */
function runIdOf(name: string, { id }: OwnProject): string | null {
  if (!name.includes(':///')) return name;
  const ref = parseRef(name);
  return ref?.kind === 'call' && ref.projectId === id ? ref.callId : null;
}
