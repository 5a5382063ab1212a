import type { ImprovementCandidateDto, ImprovementDto, PipelineStep } from '@hone/contracts';

import type { CandidateRecord, ImprovementRecord } from './improvement.record.js';

const DOING: Readonly<Record<PipelineStep, string>> = {
  data: 'It looks what there is to learn from.',
  training: 'It trains.',
  evaluation: 'The current checkpoint and the candidates answer the held-out rows.',
  gate: 'Gates compare the candidates with the current checkpoint.',
  promotion: 'It promotes.',
};

export const toCandidateDto = (candidate: CandidateRecord): ImprovementCandidateDto => ({
  ...{ method: candidate.method, state: candidate.state, reason: candidate.reason, calls: candidate.calls },
  ...{ data_url: candidate.data_url, training_job_id: candidate.training_job_id, step: candidate.step },
  ...{ prompt_edit_id: candidate.prompt_edit_id, prompt: candidate.prompt },
  ...{ run_id: candidate.run_id, gate_id: candidate.gate_id, gain: candidate.gain, win_rate: candidate.win_rate },
});

/** @param costUsd what its evaluation has spent */
export function toImprovementDto(improvement: ImprovementRecord, costUsd: number): ImprovementDto {
  const { id, settings, status, step, reason, currentStep, dataset, currentRunId, candidates } = improvement;
  return {
    ...{ id, settings, status, step: status === 'running' ? step : null, sentence: reason ?? DOING[step] },
    ...{ current_step: currentStep, dataset, current_run_id: currentRunId, candidates: candidates.map(toCandidateDto) },
    ...{ cost_usd: costUsd, created_by: improvement.createdBy, created_at: improvement.createdAt.toISOString() },
    ended_at: improvement.endedAt?.toISOString() ?? null,
  };
}
