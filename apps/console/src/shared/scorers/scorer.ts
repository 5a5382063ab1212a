import { isJsonObject, type ObjectVersionDto, type ScorerDefinitionDto } from '@hone/client';

/** Class of the objects that scorers are. */
export const SCORER_CLASS = 'Scorer';
/** What a check finds: 1 or 0. */
export const PASSED = 'passed';
const VALUE = 'value';
/** What a comparison of two answers finds. */
const PAIRWISE = ['win', 'flipped'];
/** Checks that find a number, too. */
const NUMERIC: readonly string[] = ['numeric', 'edit_distance', 'latency', 'cost'];

/** A version of a scorer, as lists and pages show it. */
export interface Scorer {
  /** Id of its object. */
  readonly id: string;
  readonly digest: string;
  readonly version: number;
  readonly name: string;
  readonly description: string;
  /** What Hone does; null: its source code does, where a client runs it. */
  readonly definition: ScorerDefinitionDto | null;
  readonly savedAt: string;
  readonly userId: string;
}

export function toScorer({ object_id, digest, version_index, val, created_at, svc_user_id }: ObjectVersionDto): Scorer {
  const { name, description, definition } = isJsonObject(val) ? val : {};
  return {
    ...{ id: object_id, digest, version: version_index, savedAt: created_at, userId: svc_user_id },
    name: typeof name === 'string' ? name : object_id,
    description: typeof description === 'string' ? description : '',
    definition: isDefinition(definition) ? definition : null,
  };
}

/** The service has checked those that it stored; others are shown as objects. */
const isDefinition = (value: unknown): value is ScorerDefinitionDto =>
  isJsonObject(value) &&
  ['check', 'llm', 'http', 'pairwise'].includes(String(value['kind'])) &&
  isJsonObject(value[String(value['kind'])]);

/** Whether judging asks a model, which costs something. */
export const asksModel = (definition: ScorerDefinitionDto | null): boolean =>
  definition?.kind === 'llm' || definition?.kind === 'pairwise';

/** What it does, on one line. */
export function summaryOf(definition: ScorerDefinitionDto | null): string {
  if (definition?.llm) return `Judge ${definition.llm.model}: ${criteriaOf(definition).join(', ')}`;
  if (definition?.pairwise) return `Judge ${definition.pairwise.model}: which answer is better`;
  if (definition?.http) return `Server ${hostOf(definition.http.url)}: ${criteriaOf(definition).join(', ')}`;
  if (definition?.check) return `Check: ${definition.check.check.replaceAll('_', ' ')}`;
  return 'Source code, which a client runs';
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** What a report can be about: names of ratings and tags, of a check what it finds. */
export function criteriaOf({ check, llm, http, pairwise }: ScorerDefinitionDto): readonly string[] {
  if (pairwise) return PAIRWISE;
  if (http) return [...(http.ratings ?? []).map(({ name }) => name), ...(http.tags ?? [])];
  if (llm) return [...(llm.ratings ?? []), ...(llm.tags ?? [])].map(({ name }) => name);
  return check && NUMERIC.includes(check.check) ? [PASSED, VALUE] : [PASSED];
}
