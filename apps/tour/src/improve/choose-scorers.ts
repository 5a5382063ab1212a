import { type Hone, isJsonObject, type ObjectVersionDto } from '@hone/client';

const MAX_SCORERS = 500;

/** Nobody said which scorers judge, and the project does not answer it. */
export class WhichScorerError extends Error {}

/** Ids of the project's scorers that Hone runs: those of clients have source code in place of a definition. */
export async function listScorers(hone: Hone, project_id: string): Promise<string[]> {
  const filter = { base_object_classes: ['Scorer'], latest_only: true };
  const { objs } = await hone.trace.queryObjects({ project_id, filter, limit: MAX_SCORERS });
  return objs.filter(isRun).map(({ object_id }) => object_id);
}

const isRun = ({ val }: ObjectVersionDto): boolean => isJsonObject(val) && isJsonObject(val['definition']);

/**
 * @param named on the command line
 * @param known of the project
 * @throws WhichScorerError none is named, and there is not exactly one
 */
export function chooseScorers(named: readonly string[], known: readonly string[], projectId: string): string[] {
  if (named.length > 0) return [...named];
  if (known.length === 1) return [...known];
  throw new WhichScorerError(
    known.length === 0
      ? `${projectId} has no scorer that Hone runs, so that nobody would judge the answers. Make one first; docs/guides/scorers.md shows how.`
      : `${projectId} has ${known.length} scorers. Say which judges the answers, by --scorer: ${[...known].sort().join(', ')}.`,
  );
}
