import type { Path } from './query.js';

/** Columns that hold JSON: paths may lead into them. */
export const VALUE_COLUMNS: readonly string[] = ['attributes', 'inputs', 'output', 'summary'];
const TIMES = ['started_at', 'ended_at', 'created_at'];
/** Columns by their names in the interface. */
export const COLUMNS: readonly string[] = [
  ...['op_name', 'display_name', 'started_at', 'ended_at', 'exception', 'id', 'trace_id', 'parent_id', 'thread_id'],
  ...['turn_id', 'svc_user_id', 'run_id', 'run_step', 'run_step_end', 'input_refs', 'output_refs'],
  ...VALUE_COLUMNS,
];
/** Columns of feedback that hold JSON: paths may lead into them. */
export const FEEDBACK_VALUES: readonly string[] = ['payload', 'scorer_ratings', 'scorer_rating_reasons'];
const FEEDBACK_COLUMNS: readonly string[] = [
  ...['feedback_type', 'creator', 'created_at', 'svc_user_id', 'runnable_ref', 'scorer_tags'],
  ...FEEDBACK_VALUES,
];
/** Short names of fields that one asks for often. */
const SHORT: Readonly<Record<string, Path>> = {
  status: ['summary', 'hone', 'status'],
  latency_ms: ['summary', 'hone', 'latency_ms'],
  name: ['summary', 'hone', 'trace_name'],
  user: ['svc_user_id'],
  end_user: ['summary', 'hone', 'user'],
  tokens: ['summary', 'hone', 'total_tokens'],
  prompt: ['summary', 'hone', 'prompt'],
  error_class: ['summary', 'hone', 'error_class'],
};
const SHORT_OF_FEEDBACK: Readonly<Record<string, Path>> = {
  ...{ type: ['feedback_type'], emoji: ['payload', 'detoned'], note: ['payload', 'note'] },
};
/** Keys of this value are the models that a call used. */
export const USAGE: Path = ['summary', 'usage'];
/** Names a model that the call used. A call may use several, so it is no field of the interface. */
export const MODEL = 'model';
export const FIELD_NAMES: readonly string[] = [...Object.keys(SHORT), MODEL, ...COLUMNS];

export const FEEDBACK_NAMES: readonly string[] = [...Object.keys(SHORT_OF_FEEDBACK), ...FEEDBACK_COLUMNS];

export const isModel = (path: Path): boolean => path.length === 1 && path[0] === MODEL;

/** No name is both. */
const ALL_SHORT = { ...SHORT, ...SHORT_OF_FEEDBACK };
const MAX_CHARACTERS = 1_024;

/** The path with its short name written out. */
export function fullPath(path: Path): Path {
  const [first = '', ...rest] = path;
  const full = Object.hasOwn(ALL_SHORT, first) ? ALL_SHORT[first] : undefined;
  return full && rest.length === 0 ? full : path;
}

/** Why there is no such field; null: there is. @param isOfFeedback whether it is one of feedback, not of calls */
export function pathProblem(path: Path, isOfFeedback = false): string | null {
  const [columns, values] = isOfFeedback ? [FEEDBACK_COLUMNS, FEEDBACK_VALUES] : [COLUMNS, VALUE_COLUMNS];
  const [column = ''] = fullPath(path);
  if (isModel(path) && !isOfFeedback) return null;
  if (!columns.includes(column)) return `There is no field “${shorten(path[0] ?? '')}”.`;
  if (fullPath(path).length > 1 && !values.includes(column)) return `“${column}” has no values below it.`;
  if (path.slice(0, -1).some((part) => part.endsWith('\\'))) return 'A key that ends with a backslash cannot be named.';
  return toFieldName(path).length > MAX_CHARACTERS ? `A path has at most ${MAX_CHARACTERS} characters.` : null;
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** The name of a field in the interface: parts joined by dots, `\.` a dot within one. */
export const toFieldName = (path: Path): string =>
  fullPath(path)
    .map((part) => part.replaceAll('.', '\\.'))
    .join('.');

/** The path of a field's name in the interface, by its short name where it has one. */
export function toPath(name: string): Path {
  const path = name.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));
  const short = Object.entries(ALL_SHORT).find(([, full]) => isSamePath(full, path));
  return short ? [short[0]] : path;
}

export const isTime = (path: Path): boolean => path.length === 1 && TIMES.includes(path[0] ?? '');

export const isSamePath = (a: Path, b: Path): boolean => a.length === b.length && a.every((part, at) => part === b[at]);
