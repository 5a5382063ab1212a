import { type FieldPath, isValueColumn, parseFieldPath, valueAt, type ValueColumn } from '@hone/call-queries';
import { type Prices, usageOf } from '@hone/calls';
import {
  isJsonObject,
  type JsonValue,
  parseJson,
  RawJson,
  setKey,
  stringifyJson,
  withinDateTimes,
} from '@hone/contracts';

import type { CallRow } from './call-row.js';
import { type Compute, COMPUTED_FIELDS, computedSummary, summaryWith } from './call-summary.js';
import type { TraceSums } from './trace-sums.repository.js';

/** A field by the name that it is answered under. */
export interface NamedField extends FieldPath {
  name: string;
}

export const toNamedField = (name: string): NamedField => ({ name, ...parseFieldPath(name) });

/** How calls are answered. */
export interface CallForm {
  /** `<entity>/<project>`. */
  projectId: string;
  refScheme: string;
  /** Columns and dotted paths, in the order of the answer. */
  fields: readonly NamedField[];
  /** Dotted paths whose refs are replaced by what they name. */
  expanded: readonly FieldPath[];
  /** Undefined: no costs are asked for. */
  prices: Prices | undefined;
  /** Costs are a part of summaries. */
  includeCosts: boolean;
  includeStorageSize: boolean;
  /** Calls that began longer ago are deleted; null: none. */
  retentionDays: number | null;
}

/** What rows of a batch share. */
export interface CallExtras {
  /** Call id -> feedback records; undefined: not asked for. */
  feedback?: ReadonlyMap<string, RawJson[]>;
  /** Trace id -> sums of its calls; undefined: not asked for. */
  traces?: ReadonlyMap<string, TraceSums>;
  /** Ref -> exact text of the value that it names. */
  objects?: ReadonlyMap<string, string>;
}

/** Exact texts of values of a call; null: it has none. */
export type CallTexts = Partial<Record<ValueColumn, string | null>>;

const DAY_MS = 86_400_000;

/** A call as JSON text. @param texts exact values, those that are asked for */
export function writeCall(row: CallRow, texts: CallTexts, form: CallForm, extras: CallExtras): string {
  const values = new Values(row, texts, form, extras);
  const { project, members } = layoutOf(form);
  let text = beginOf(row, project);
  for (const member of members) {
    const value = valueOf(row, member, values, form);
    if (value !== undefined) text += member.key + stringifyJson(value);
  }
  return text + endOf(row, form);
}

/** The same in parts: those of a value that is not there yet are read in its place. @param late nothing of it is parsed */
export async function* callParts(
  row: CallRow,
  texts: CallTexts,
  form: CallForm,
  late: ReadonlyMap<ValueColumn, () => AsyncIterable<string>>,
): AsyncGenerator<string> {
  const values = new Values(row, texts, form, {});
  const { project, members } = layoutOf(form);
  let text = beginOf(row, project);
  for (const member of members) {
    const parts = late.get(member.column as ValueColumn);
    const value = parts ? undefined : valueOf(row, member, values, form);
    if (value !== undefined) text += member.key + stringifyJson(value);
    if (!parts) continue;
    yield text + member.key;
    yield* parts();
    text = '';
  }
  yield text + endOf(row, form);
}

const beginOf = (row: CallRow, project: string): string => `{"id":${JSON.stringify(row.id)}${project}`;

const endOf = (row: CallRow, { includeStorageSize }: CallForm): string =>
  includeStorageSize ? `,"storage_size_bytes":${stringifyJson(row.storage_size_bytes)}}` : '}';

/** A field as it is written. */
interface Member extends NamedField {
  /** What stands before its value. */
  readonly key: string;
  /** Of what is computed of columns alone. */
  readonly compute: Compute | undefined;
}

/** What is the same for every call of an answer, of which there may be very many. */
interface Layout {
  /** The member that tells the project. */
  readonly project: string;
  /** The others, each once. */
  readonly members: readonly Member[];
}

const layouts = new WeakMap<CallForm, Layout>();

function layoutOf(form: CallForm): Layout {
  const known = layouts.get(form);
  if (known) return known;
  const written = new Set(['id', 'project_id', ...(form.includeStorageSize ? ['storage_size_bytes'] : [])]);
  const members = form.fields
    .map((field) => ({ ...field, name: nameOf(field) }))
    .filter(({ name }) => !written.has(name) && written.add(name))
    .map((field) => ({
      ...field,
      key: `,${JSON.stringify(field.name)}:`,
      compute: COMPUTED_FIELDS.get(field.name),
    }));
  const layout = { project: `,"project_id":${JSON.stringify(form.projectId)}`, members };
  layouts.set(form, layout);
  return layout;
}

/** A column is answered under its own name, however it was asked for. */
const nameOf = ({ name, column, path }: NamedField): string =>
  path.length > 0 || COMPUTED_FIELDS.has(name) ? name : column;

function valueOf(row: CallRow, { column, path, compute }: Member, values: Values, form: CallForm): unknown {
  if (compute) return compute(row, { prices: form.prices, traces: values.traces });
  if (path.length > 0) return valueAt(values.parsed(column as ValueColumn), path);
  return isValueColumn(column) ? values.whole(column) : plainColumn(row, column, form);
}

function plainColumn(row: CallRow, column: string, form: CallForm): unknown {
  switch (column) {
    case 'project_id':
      return form.projectId;
    case 'deleted_at':
      return null;
    case 'expire_at':
      return form.retentionDays === null
        ? null
        : withinDateTimes(new Date(row.started_at.getTime() + form.retentionDays * DAY_MS));
    case 'input_refs':
    case 'output_refs':
      return row[column].map((ref) => `${form.refScheme}:///${ref}`);
    default:
      return row[column as keyof CallRow];
  }
}

/** The values of one call: each is parsed at most once, and only where a part of it is asked for. */
class Values {
  private readonly wholeTexts: Partial<Record<ValueColumn, RawJson>> = {};
  private readonly parsedValues: Partial<Record<ValueColumn, JsonValue>> = {};

  constructor(
    private readonly row: CallRow,
    private readonly texts: CallTexts,
    private readonly form: CallForm,
    private readonly extras: CallExtras,
  ) {}

  get traces(): CallExtras['traces'] {
    return this.extras.traces;
  }

  whole(column: ValueColumn): RawJson {
    return (this.wholeTexts[column] ??= column === 'summary' ? this.summary() : this.expanded(column));
  }

  parsed(column: ValueColumn): JsonValue {
    return (this.parsedValues[column] ??= parseJson(this.whole(column).text));
  }

  private summary(): RawJson {
    const { prices, includeCosts } = this.form;
    const text = this.texts.summary ?? null;
    const { feedback } = this.extras;
    return summaryWith(text, {
      ...computedSummary(this.row),
      ...(includeCosts && prices && { costs: toObject(prices.price(usageOf(text), this.row.started_at)) }),
      ...(feedback && { feedback: feedback.get(this.row.id) ?? [] }),
    });
  }

  private expanded(column: ValueColumn): RawJson {
    const text = this.texts[column] ?? 'null';
    const paths = this.form.expanded.filter((one) => one.column === column);
    if (paths.length === 0 || !this.extras.objects?.size) return new RawJson(text);
    const value = parseJson(text);
    for (const { path } of paths) replaceRef(value, path, this.extras.objects);
    return new RawJson(stringifyJson(value));
  }
}

/** What a call used with costs, by model. */
export function toObject<T>(map: ReadonlyMap<string, T>): Record<string, T> {
  const object = {};
  for (const [key, value] of map) setKey(object, key, value);
  return object;
}

/** The refs that a value has at the given paths. */
export function refsAt(text: string, paths: readonly (readonly string[])[]): string[] {
  const value = parseJson(text);
  return paths.map((path) => valueAt(value, path)).filter((found) => typeof found === 'string');
}

function replaceRef(value: JsonValue, path: readonly string[], objects: ReadonlyMap<string, string>): void {
  const holder = valueAt(value, path.slice(0, -1)) as JsonValue;
  const last = path.at(-1) as string;
  const ref = valueAt(holder, [last]);
  const text = typeof ref === 'string' ? objects.get(ref) : undefined;
  if (text === undefined) return;
  const object = parseJson(text);
  if (isJsonObject(object)) setKey(object, '_ref', ref);
  if (Array.isArray(holder))
    holder[holder.length + Number(last) < holder.length ? holder.length + Number(last) : Number(last)] = object;
  else setKey(holder as object, last, object);
}
