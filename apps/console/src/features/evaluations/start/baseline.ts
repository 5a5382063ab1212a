import type { EvaluationCandidateDto, ScorerDefinitionDto } from '@hone/client';

/** Before the position of a candidate, where a baseline is chosen; an earlier run is chosen by its id. */
const CANDIDATE = 'candidate ';

/** The choice of a candidate. */
export const candidateChoice = (at: number): string => `${CANDIDATE}${at}`;

/** Position of the candidate that is chosen as the baseline; null: none of them is. */
export const chosenCandidate = (choice: string): number | null =>
  choice.startsWith(CANDIDATE) ? Number(choice.slice(CANDIDATE.length)) : null;

/** What the interface takes as `baseline`; null: nothing is chosen. @param candidates as it takes them */
export function toBaseline(choice: string, candidates: readonly EvaluationCandidateDto[]): string | null {
  const at = chosenCandidate(choice);
  return at === null ? choice || null : (candidates[at]?.name ?? null);
}

/** Whether scorers compare two answers: `must`, where one of them does not say what with. */
export function baselineNeed(definitions: readonly (ScorerDefinitionDto | null)[]): 'no' | 'may' | 'must' {
  const comparing = definitions.flatMap((definition) => definition?.pairwise ?? []);
  if (comparing.length === 0) return 'no';
  return comparing.every(({ against }) => (against ?? '') !== '') ? 'may' : 'must';
}
