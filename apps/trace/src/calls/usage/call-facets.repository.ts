import { asText, type CallSelection, fromSelection, IS_SHOWN, JOIN_VALUES, type Operand } from '@hone/call-queries';
import { MODEL_TOKENS } from '@hone/calls';
import type { CallFacetsResultDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Longer texts are contents rather than values to choose by. */
const MAX_VALUE_CHARACTERS = 256;
const MAX_KEYS = 100;

/** A field whose values are counted. */
export interface FacetField {
  /** As the caller names it. */
  name: string;
  /** Null: models of the trace. */
  operand: Operand | null;
  /** Whether it is among the values of calls, which are in a table of their own. */
  isAmongValues: boolean;
}

export interface FacetRequest {
  /** The calls of which the newest are read: no condition of it names a value. */
  selection: CallSelection;
  /** Condition on those that are read, which may name values; undefined: none. */
  condition: Prisma.Sql | undefined;
  conditionNeedsValues: boolean;
  fields: readonly FacetField[];
  limit: number;
  sample: number;
}

interface CountRow {
  /** Index of the field. */
  field: number;
  /** Null: missing, or too long. */
  value: string | null;
  isLong: boolean;
  count: bigint;
  /** Of all values of the field. */
  total: bigint;
  /** How many different values the field has. */
  different: bigint;
  /** Among the values of the field. */
  place: bigint;
}

/** The row that says what was read: `count` calls, `total` of which match, the oldest of which began at `value`. */
const READ = -1;

/** Counts the values of fields over the newest calls. */
@Injectable()
export class CallFacetsRepository {
  constructor(private readonly database: Database) {}

  /** One statement: the calls are read once, and all counts belong together. */
  async count(request: FacetRequest): Promise<CallFacetsResultDto> {
    const { fields, limit, sample } = request;
    const rows = await this.database.client.$queryRaw<CountRow[]>`${readCalls(request)}
      SELECT ${READ}::int AS field, (SELECT to_char(min(started_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          FROM newest WHERE place <= ${sample}) AS value, false AS "isLong", (SELECT count(*) FROM newest) AS count,
        (SELECT count(*) FROM found) AS total, 0::bigint AS different, 0::bigint AS place
      UNION ALL ${Prisma.join(
        fields.map((_field, index) => countsOf(index, limit)),
        ' UNION ALL ',
      )}`;
    const read = rows.find(({ field }) => field === READ) as CountRow;
    return {
      scanned: Math.min(Number(read.count), sample),
      has_more: Number(read.count) > sample,
      oldest_started_at: read.value,
      count: Number(read.total),
      facets: fields.map(({ name }, index) => ({
        field: name,
        ...toFacet(rows.filter(({ field }) => field === index)),
      })),
    };
  }
}

function toFacet(rows: readonly CountRow[]): Omit<CallFacetsResultDto['facets'][number], 'field'> {
  const values = rows.filter(({ isLong }) => !isLong).map(({ value, count }) => ({ value, count: Number(count) }));
  const [{ total, different } = { total: 0n, different: 0n }] = rows;
  const shown = values.reduce((sum, { count }) => sum + count, 0);
  return { values, other: Number(total) - shown, truncated: Number(different) > values.length };
}

/** `newest`: the calls that are read, and one more that tells whether there are others; `found`: those that match. */
function readCalls({ selection, condition, conditionNeedsValues, fields, sample }: FacetRequest): Prisma.Sql {
  const needsValues = conditionNeedsValues || fields.some(({ isAmongValues }) => isAmongValues);
  const columns = fields.map(
    ({ operand }, index) =>
      Prisma.sql`${operand ? valuesOf(operand, selection.refScheme) : MODELS_OF_TRACE} AS ${columnOf(index)}`,
  );
  return Prisma.sql`
    WITH newest AS MATERIALIZED (
      SELECT c.*, row_number() OVER (ORDER BY c.started_at DESC) AS place ${fromSelection(selection)}
      ORDER BY c.started_at DESC LIMIT ${sample + 1}
    ), found AS MATERIALIZED (
      SELECT ${Prisma.join(columns)}
      FROM newest c CROSS JOIN (SELECT ${selection.projectId}::text AS project_id) AS p ${needsValues ? JOIN_VALUES : Prisma.empty}
      WHERE c.place <= ${sample} ${condition ? Prisma.sql`AND ${condition}` : Prisma.empty}
    )`;
}

const columnOf = (index: number): Prisma.Sql => Prisma.raw(`f${index}`);

/**
 * Models that the calls of the trace of `calls c` used, each once. They are found by the index of traces. In nearly all traces
 * each call used one model at the most, which its column has; only the others are asked for their lists.
 */
const MODELS_OF_TRACE = Prisma.sql`coalesce((
  SELECT CASE WHEN bool_and(c.is_end_derived AND c.usage_by_model IS NULL)
    THEN array_agg(DISTINCT c.model) FILTER (WHERE c.model IS NOT NULL)
    ELSE (SELECT array_agg(DISTINCT u.model) FROM calls c CROSS JOIN LATERAL ${MODEL_TOKENS} u
      WHERE c.project_id = t.project_id AND c.trace_id = t.trace_id AND ${IS_SHOWN}) END
  FROM (SELECT c.project_id, c.trace_id) t JOIN calls c ON c.project_id = t.project_id AND c.trace_id = t.trace_id
  WHERE ${IS_SHOWN} GROUP BY t.project_id, t.trace_id), ARRAY[NULL::text])`;

/** The texts that a call counts for, each cut where it is surely too long. */
function valuesOf(operand: Operand, refScheme: string): Prisma.Sql {
  const cut = (text: Prisma.Sql) => Prisma.sql`left(${text}, ${MAX_VALUE_CHARACTERS + 1})`;
  const { kind, sql } = operand;
  if (kind !== 'json') return Prisma.sql`ARRAY[${cut(asText(operand, refScheme))}]`;
  return Prisma.sql`(CASE jsonb_typeof(${sql}) WHEN 'object' THEN coalesce(
      (SELECT array_agg(${cut(Prisma.sql`key`)}) FROM (SELECT key FROM jsonb_object_keys(${sql}) AS key LIMIT ${MAX_KEYS}) AS k),
      ARRAY[NULL::text]) ELSE ARRAY[${cut(Prisma.sql`${sql} #>> '{}'`)}] END)`;
}

/** The most frequent values of a field, and the count of all that are too long. */
const countsOf = (index: number, limit: number): Prisma.Sql => Prisma.sql`(
  SELECT ${index}::int AS field, value, is_long AS "isLong", count, total, different, place FROM (
    SELECT value, is_long, count, sum(count) OVER ()::bigint AS total, count(*) OVER () AS different,
      row_number() OVER (ORDER BY is_long, count DESC, value COLLATE "C" NULLS LAST) AS place
    FROM (
      SELECT CASE WHEN length(text) <= ${MAX_VALUE_CHARACTERS} THEN text END AS value,
        coalesce(length(text) > ${MAX_VALUE_CHARACTERS}, false) AS is_long, count(*) AS count
      FROM found, unnest(${columnOf(index)}) AS text GROUP BY 1, 2
    ) AS counted
  ) AS ranked WHERE place <= ${limit} OR is_long)`;
