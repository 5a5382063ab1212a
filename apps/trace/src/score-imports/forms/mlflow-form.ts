import { type EvidenceKind, isJsonObject, type JsonObject, type JsonValue, memberOf } from '@hone/contracts';
import { tryParseJson } from '@hone/json';

import type { EvidenceByName, ReadScore } from '../imported-score.js';

const MAX_NAME = 200;
/** What MLflow puts before the trace's id of OpenTelemetry. */
const TRACE_PREFIX = 'tr-';
/** Columns of results of an evaluation. */
const VALUE_COLUMN = /^(?:feedback\.)?(.+?)\/value$/;
const SOURCES: Readonly<Record<string, EvidenceKind>> = { HUMAN: 'human', LLM_JUDGE: 'judge', AI_JUDGE: 'judge' };

/**
 * Scores of MLflow: an assessment as `Assessment.to_dictionary()` has it, a trace as `Trace.to_dict()` has it, or a row of the
 * results of `mlflow.genai.evaluate`, which has its trace's id and either assessments or columns `<name>/value`.
 */
export function readMlflow(sent: JsonObject, evidence: EvidenceByName): ReadScore[] {
  if (memberOf(sent, 'assessment_name') !== undefined) return [readAssessment(sent, evidence, null)];
  const trace = parsed(sent['trace'] ?? null);
  const info = [memberOf(sent, 'info'), memberOf(trace, 'info')].find(isJsonObject);
  const traceId = textOf(memberOf(info, 'trace_id')) ?? textOf(sent['trace_id']);
  const assessments = [sent['assessments'], memberOf(info, 'assessments')]
    .map((list) => parsed(list ?? null))
    .find(Array.isArray);
  if (assessments) return assessments.filter(isJsonObject).map((one) => readAssessment(one, evidence, traceId));
  return Object.entries(sent).flatMap(([column, value]) => {
    const name = VALUE_COLUMN.exec(column)?.[1];
    return name === undefined || (value ?? null) === null || value === ''
      ? []
      : [ofColumn(sent, name, value as JsonValue, traceId, evidence)];
  });
}

function ofColumn(
  row: JsonObject,
  name: string,
  value: JsonValue,
  traceId: string | null,
  evidence: EvidenceByName,
): ReadScore {
  const id = traceId === null ? null : `${traceId}/${name}`;
  if (traceId === null) return { id, problem: 'A row should have a trace_id.' };
  if (name.length > MAX_NAME) return { id, problem: `A name has at most ${MAX_NAME} characters.` };
  const rationale = textOf(row[`${name}/rationale`]) ?? textOf(row[`${name}/justification`]);
  return {
    ...{ tool: 'mlflow', id, traceId: toTraceId(traceId), spanId: null, name, kind: 'score', value: fromCell(value) },
    // A table does not say who judged: what scorers compute is what it is for.
    evidence: evidence[name] ?? 'judge',
    ...{ comment: rationale, creator: null, timestamp: null, metadata: null },
  };
}

function readAssessment(sent: JsonObject, evidence: EvidenceByName, ofTrace: string | null): ReadScore {
  const id = textOf(sent['assessment_id']);
  const name = textOf(sent['assessment_name']) ?? textOf(sent['name']);
  if (name === null || name.length > MAX_NAME)
    return { id, problem: `An assessment should have a name of 1 to ${MAX_NAME} characters.` };
  if (sent['valid'] === false) return { id, problem: 'Another assessment overrides it.' };
  const expected = sent['expectation'];
  const found = isJsonObject(expected) ? valueOf(expected) : valueOf(memberOf(sent, 'feedback') ?? null);
  if (found === null) return { id, problem: 'It has no value: its scorer failed, or it is an issue.' };
  const traceId = textOf(sent['trace_id']) ?? ofTrace;
  if (traceId === null) return { id, problem: 'An assessment should have a trace_id.' };
  const source = sent['source'];
  const type = textOf(memberOf(source, 'source_type'))?.toUpperCase() ?? '';
  return {
    ...{ tool: 'mlflow', id, traceId: toTraceId(traceId), spanId: textOf(sent['span_id']), name, value: found },
    evidence: evidence[name] ?? SOURCES[type] ?? 'check',
    kind: isJsonObject(expected) ? 'expectation' : 'score',
    comment: textOf(sent['rationale']),
    creator: textOf(memberOf(source, 'source_id')),
    timestamp: textOf(sent['create_time']),
    metadata: (sent['metadata'] ?? null) as JsonValue,
  };
}

/** Null: there is none. */
function valueOf(held: JsonValue): JsonValue {
  const serialized = memberOf(memberOf(held, 'serialized_value'), 'value');
  if (typeof serialized === 'string') return tryParseJson(serialized) ?? null;
  return memberOf(held, 'value') ?? null;
}

const toTraceId = (id: string): string => (id.startsWith(TRACE_PREFIX) ? id.slice(TRACE_PREFIX.length) : id);

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Values of CSV files are texts. */
const parsed = (value: JsonValue): JsonValue => (typeof value === 'string' ? (tryParseJson(value) ?? null) : value);

/** Python writes flags in capitals. */
function fromCell(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  if (value === 'True' || value === 'False') return value === 'True';
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}
