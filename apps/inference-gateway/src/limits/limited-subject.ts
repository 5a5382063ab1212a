import { type UsageLimitsQueryDto, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

/** Subject of the limits as the query names it. */
export type NamedSubject =
  /** `<entity>/<project>`. */
  | { readonly project: string; readonly key: null }
  /** Row id. */
  | { readonly project: null; readonly key: string };

/** Nano-USD that were spent in the current month and on the current day (UTC). */
export interface Spent {
  readonly inMonth: bigint;
  readonly today: bigint;
}

/** What a subject has spent. */
export interface SubjectSpent extends Spent {
  /** By the names of its budgets of models. */
  readonly onModels: ReadonlyMap<string, Spent>;
}

/**
 * @param ownProjectId the subject when the query names none
 * @throws ValidationError both are named
 */
export function readSubject({ project, key }: UsageLimitsQueryDto, ownProjectId: string): NamedSubject {
  if (key === undefined) return { project: project ?? ownProjectId, key: null };
  if (project === undefined) return { project: null, key };
  throw new ValidationError([valueIssue('Input should be a project or a key, not both', ['query', 'key'])]);
}
