import {
  asNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  parseJson,
  parseRef,
  parseTableRef,
} from '@hone/contracts';

/** A run whose results are asked for, with the rows that it should have. */
export interface PlannedRun {
  id: string;
  /** Predictions of a row that count. Null: the evaluation that says so is not known. */
  trials: number | null;
  /** The table of the dataset. Null: it is not known. */
  table: PlannedTable | null;
}

export interface PlannedTable {
  projectRowId: string;
  digest: string;
}

/** The call of a run, with exact texts of its values. */
export interface RunCall {
  readonly id: string;
  readonly attributes?: string | null;
  readonly inputs?: string | null;
}

/** Where plans look up what runs name: only what the caller may read. */
export interface PlanSources {
  /** Exact text of the value of a live version of an object; null: there is none. */
  valueOf(ref: string): Promise<string | null>;
  /** Row id of a project, by `<entity>/<project>`; null: there is none. */
  projectOf(projectId: string): Promise<string | null>;
}

type Plan = Omit<PlannedRun, 'id'>;

const UNKNOWN: Plan = { trials: null, table: null };
const MAX_INT32 = 2_147_483_647;

/**
 * Which rows runs should have: those of the datasets of their evaluations.
 *
 * @param calls of the runs, in any order; a run without a call is not known
 * @returns the runs in the order of `ids`
 */
export async function planRuns(
  ids: readonly string[],
  calls: readonly RunCall[],
  sources: PlanSources,
): Promise<PlannedRun[]> {
  const evaluations = new Map(calls.map((call) => [call.id, evaluationOf(call)]));
  const plans = new Map<string, Plan>();
  for (const evaluation of evaluations.values())
    if (evaluation !== null && !plans.has(evaluation)) plans.set(evaluation, await planOf(evaluation, sources));
  return ids.map((id) => ({ id, ...(plans.get(evaluations.get(id) ?? '') ?? UNKNOWN) }));
}

async function planOf(evaluation: string, sources: PlanSources): Promise<Plan> {
  const val = await valueOf(evaluation, sources);
  if (val === null) return UNKNOWN;
  const trials = asNumber(val['trials']);
  return {
    trials: trials !== undefined && Number.isInteger(trials) && trials >= 1 ? Math.min(trials, MAX_INT32) : 1,
    table: await tableOf(val['dataset'], sources),
  };
}

async function tableOf(dataset: JsonValue | undefined, sources: PlanSources): Promise<PlannedTable | null> {
  const val = typeof dataset === 'string' ? await valueOf(dataset, sources) : null;
  const rows = val?.['rows'];
  const ref = typeof rows === 'string' ? parseTableRef(rows) : undefined;
  const projectRowId = ref ? await sources.projectOf(ref.projectId) : null;
  return ref && projectRowId !== null ? { projectRowId, digest: ref.digest } : null;
}

/** The value of a version; null: there is none, or it is no object. */
async function valueOf(ref: string, sources: PlanSources): Promise<JsonObject | null> {
  if (parseRef(ref)?.kind !== 'object') return null;
  const value = parseJson((await sources.valueOf(ref)) ?? 'null');
  return isJsonObject(value) ? value : null;
}

/** Weave's `EvaluationLogger` stores an evaluation of its own, whose dataset is a name and no rows. */
const isOfLogger = ({ attributes }: RunCall): boolean =>
  memberOf(memberOf(parseJson(attributes ?? '{}'), '_weave_eval_meta'), 'imperative') === true;

/** Both our runs and those of SDKs name the evaluation in their inputs. */
function evaluationOf(call: RunCall): string | null {
  const self = memberOf(parseJson(call.inputs ?? '{}'), 'self');
  return typeof self === 'string' && !isOfLogger(call) ? self : null;
}
