import type { EvaluationCandidateDto } from '@hone/client';

/** As many are evaluated at once. */
export const MAX_CANDIDATES = 5;
/** Characters of an object's id. */
const MAX_ID = 128;

/** What answers the rows, as it is typed. */
export interface CandidateDraft {
  /** '': the one that the prompt names. */
  readonly model: string;
  /** Id of a prompt; '': the row is all that is asked. */
  readonly prompt: string;
  /** '': the model's own. */
  readonly temperature: string;
}

/**
 * What the interface takes. Those of one model and prompt have names of their own: they differ in their temperature.
 *
 * @param baseline the one that others are compared with, by its position: it has a name, too; null: none of them is
 */
export const toCandidates = (
  drafts: readonly CandidateDraft[],
  baseline: number | null = null,
): EvaluationCandidateDto[] =>
  drafts.map(({ model, prompt, temperature }, at) => {
    const isAlike = drafts.some((one, other) => other !== at && one.model === model && one.prompt === prompt);
    return {
      ...(model !== '' && { model }),
      ...(prompt !== '' && { prompt }),
      ...(temperature.trim() !== '' && { parameters: { temperature: Number(temperature) } }),
      ...(isAlike ? { name: ownName(prompt || model, at) } : at === baseline && { name: usualName(prompt, model) }),
    };
  });

/** Of the letters that names of objects have. */
const ownName = (of: string, at: number): string => `${of.replace(/[^\p{L}\p{N}_.-]+/gu, '_').slice(-100)}-${at + 1}`;

/** As the service names a candidate by itself, so that it is the same model in each evaluation. */
const usualName = (...parts: readonly string[]): string =>
  parts
    .filter(Boolean)
    .join('-')
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .slice(0, MAX_ID);
