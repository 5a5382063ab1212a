import { type CompareQueryDto, parseRef, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

import { ComparedRunNotFoundError } from './comparisons.errors.js';

/**
 * Ids of the runs that a body names by id or ref.
 *
 * @throws ComparedRunNotFoundError a ref is of another project, or of no call
 * @throws ValidationError a run is named twice
 */
export function runIdsOf({ project_id, runs }: Pick<CompareQueryDto, 'project_id' | 'runs'>): string[] {
  const ids = (runs ?? []).map((run) => {
    if (!run.includes(':///')) return run;
    const ref = parseRef(run);
    if (ref?.kind !== 'call' || ref.projectId !== project_id) throw new ComparedRunNotFoundError(run);
    return ref.callId;
  });
  refuseTwice(ids, 'A run should be named once', (at) => ['runs', at]);
  return ids;
}

/** @throws ValidationError a body names neither runs nor sets of calls, or both */
export function assertOneKind({ runs, calls }: Pick<CompareQueryDto, 'runs' | 'calls'>): void {
  const [hasRuns, hasCalls] = [(runs ?? null) !== null, (calls ?? null) !== null];
  if (!hasRuns && !hasCalls)
    throw new ValidationError([valueIssue('Should be given where calls is not', ['body', 'runs'])]);
  if (hasRuns && hasCalls) throw new ValidationError([valueIssue('Should be absent beside runs', ['body', 'calls'])]);
}

/** Names of slices: their own, else their number. @throws ValidationError two have the same name */
export function sliceNamesOf({ slices }: Pick<CompareQueryDto, 'slices'>): string[] {
  const names = (slices ?? []).map(({ name }, at) => name ?? `slice ${at + 1}`);
  refuseTwice(names, 'Each slice should have a name of its own', (at) => ['slices', at, 'name']);
  return names;
}

/** @throws ValidationError a metric has labels twice */
export function assertOneTruthEach({ truth }: CompareQueryDto): void {
  const metrics = (truth ?? []).map(({ metric }) => metric);
  refuseTwice(metrics, 'A metric should have one truth', (at) => ['truth', at, 'metric']);
}

/** @throws ValidationError one is there twice */
export function refuseTwice(
  names: readonly string[],
  message: string,
  locOf: (at: number) => (string | number)[],
): void {
  const at = names.findIndex((name, index) => names.indexOf(name) < index);
  if (at >= 0) throw new ValidationError([valueIssue(message, ['body', ...locOf(at)])]);
}
