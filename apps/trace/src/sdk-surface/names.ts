/**
 * What the SDKs call things, and what this service calls them. Everything else in this folder only applies these tables.
 */

/** Names of typed fields: the SDKs' -> ours. */
const FIELDS: Readonly<Record<string, string>> = {
  weave_ref: 'trace_ref',
  wb_user_id: 'svc_user_id',
  wb_user_ids: 'svc_user_ids',
  wb_username: 'svc_username',
  wb_run_id: 'run_id',
  wb_run_ids: 'run_ids',
  wb_run_step: 'run_step',
  wb_run_step_end: 'run_step_end',
};
const OWN_FIELDS = new Map(Object.entries(FIELDS));
const SDK_FIELDS = new Map(Object.entries(FIELDS).map(([theirs, ours]) => [ours, theirs]));

/** Our name of a typed field. One that is ours already is no name of the SDKs: undefined. */
export function toOwnField(name: string): string | undefined {
  return OWN_FIELDS.get(name) ?? (SDK_FIELDS.has(name) ? undefined : name);
}

export const toSdkField = (name: string): string => SDK_FIELDS.get(name) ?? name;

/** The part of a call's summary that is computed when it is read. */
export const SDK_SUMMARY_KEY = 'weave';
export const OWN_SUMMARY_KEY = 'hone';

/**
 * The other name of a key directly below `summary`. Both ways at once: what a client stored under the one name is
 * answered under it, and never mistaken for the computed part.
 */
export function swapSummaryKey(key: string): string {
  if (key === SDK_SUMMARY_KEY) return OWN_SUMMARY_KEY;
  return key === OWN_SUMMARY_KEY ? SDK_SUMMARY_KEY : key;
}

/** A dotted path such as `summary.weave.status` with other names of its column and of the computed part. */
function renamePath(path: string, rename: (column: string) => string): string {
  if (!path.includes('.')) return rename(path);
  const [column = '', second = '', ...rest] = path.split('.');
  return [rename(column), column === 'summary' ? swapSummaryKey(second) : second, ...rest].join('.');
}

/** Texts that the SDKs send beside the fields of feedback, and how they read one that is not there. */
export const EXTRAS: ReadonlyMap<string, string> = new Map([
  ['span_agent_name', ''],
  ['span_agent_version', ''],
  ['span_status_code', 'UNSET'],
  ['span_conversation_id', ''],
  ['span_trace_id', ''],
  ['scorer_trace_id', ''],
]);
/** The column that holds them. */
export const EXTRAS_PREFIX = 'sdk_extras.';

/** Our name of what `fields`, `columns`, `sort_by` or `$getField` names. One that only we know becomes one that nobody knows. */
export const toOwnPath = (path: string): string =>
  EXTRAS.has(path)
    ? EXTRAS_PREFIX + path
    : renamePath(path, (column) => toOwnField(column) ?? `${column} (not a name of this surface)`);

/** The same for prices. */
export const toOwnCostField = (name: string): string => (name === 'llm_id' ? 'model' : toOwnPath(name));

/** Names of fields that answers of one route have beside those of all: path -> ours -> the SDKs'. */
const ROUTE_FIELDS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    '/project/stats',
    new Map([
      ['calls_size_bytes', 'trace_storage_size_bytes'],
      ['objects_size_bytes', 'objects_storage_size_bytes'],
      ['tables_size_bytes', 'tables_storage_size_bytes'],
      ['files_size_bytes', 'files_storage_size_bytes'],
    ]),
  ],
  [
    '/cost/query',
    new Map([
      ['result', 'results'],
      ['model', 'llm_id'],
    ]),
  ],
]);

/** The same for routes below a project's path, `/v2/<entity>/<project>`: rest of the path -> ours -> the SDKs'. */
const PROJECT_ROUTE_FIELDS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    '/eval_results/query',
    new Map([
      ['inputs', 'raw_data_row'],
      ['evaluation_run_id', 'evaluation_call_id'],
      ['prediction_id', 'predict_and_score_call_id'],
      ['output', 'model_output'],
      ['score_ids', 'scorer_call_ids'],
    ]),
  ],
]);

/** @param path below the surface by which the SDK asked */
export const fieldsOfRoute = (path: string): ReadonlyMap<string, string> | undefined =>
  ROUTE_FIELDS.get(path) ?? PROJECT_ROUTE_FIELDS.get(path.replace(/^\/v2\/[^/]+\/[^/]+/, ''));

export const toSdkPath = (path: string): string => renamePath(path, toSdkField);

/** Prefix of the reserved types of feedback. */
export const SDK_TYPE_PREFIX = 'wandb.';
export const OWN_TYPE_PREFIX = 'hone.';

/** A type of the other surface that begins like a reserved one here is an ordinary type. */
export const toOwnType = (type: string): string =>
  type.startsWith(SDK_TYPE_PREFIX) ? OWN_TYPE_PREFIX + type.slice(SDK_TYPE_PREFIX.length) : type;

/** Scheme of the refs that the SDKs send and read. */
export const SDK_REF = 'weave:///';
/** Refs whose project is an id that `/service/projects_info` gave out. */
export const INTERNAL_REF = 'weave-trace-internal:///';

/** The id of a project in internal refs: its name, encoded. */
export const toInternalId = (projectId: string): string => Buffer.from(projectId).toString('base64url');
