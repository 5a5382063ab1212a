import { toUsd } from '@hone/calls';
import { DROPPED_EDITS, type DroppedEditsDto, type PromptEditCandidateDto, type PromptEditDto } from '@hone/contracts';

import type { VersionKey } from '../stored-objects/stored-objects.service.js';
import type { StoredEdit } from './edit-items.repository.js';
import type { EditItem, PromptEditJob } from './prompt-edit.record.js';
import { Search } from './search/search.js';

/** @param edits with their messages; null: messages are left out */
export function toPromptEditDto(
  job: PromptEditJob,
  items: readonly EditItem[],
  edits: readonly StoredEdit[] | null,
  refOf: (version: VersionKey) => string,
): PromptEditDto {
  const { plan, best } = job;
  const search = new Search(job, items);
  const candidates = candidatesOf(job, search, edits);
  return {
    ...{
      id: job.id,
      project_id: job.projectId,
      status: job.status,
      prompt: refOf(plan.prompt),
      settings: plan.settings,
    },
    ...{ practice_rows: plan.practice.length, held_out_rows: plan.heldOut.length },
    ...{ evaluations: search.scores.evaluations, max_evaluations: job.maxEvaluations, candidates },
    dropped: Object.fromEntries(
      DROPPED_EDITS.map((reason) => [reason, candidates.filter(({ dropped }) => dropped === reason).length]),
    ) as unknown as DroppedEditsDto,
    best: best && {
      ...{ candidate: best.candidate, rows: best.rows, original_mean: best.originalMean, edit_mean: best.editMean },
      prompt: best.digest === null ? null : refOf({ objectId: plan.prompt.objectId, digest: best.digest }),
    },
    cost_usd: toUsd(job.costNanoUsd),
    max_cost_usd: job.maxCostNanoUsd === null ? null : toUsd(job.maxCostNanoUsd),
    ...{ error: job.error, created_by: job.createdBy, created_at: job.createdAt.toISOString() },
    finished_at: job.finishedAt?.toISOString() ?? null,
  };
}

function candidatesOf(
  { plan }: PromptEditJob,
  search: Search,
  edits: readonly StoredEdit[] | null,
): PromptEditCandidateDto[] {
  const { scores } = search;
  const original = { id: 0, parent: null, messages: edits && plan.messages, dropped: null, detail: null };
  const made = scores.edits.map((item) => {
    const stored = edits?.find(({ candidate }) => candidate === item.candidate);
    const dropped = search.droppedOf(item);
    return {
      ...{ id: item.candidate, parent: item.parent, messages: stored?.messages ?? null, dropped },
      detail: dropped === null ? null : (stored?.detail ?? null),
    };
  });
  return [original, ...made].map((candidate) => ({ ...candidate, ...scores.mean(candidate.id, plan.practice) }));
}
