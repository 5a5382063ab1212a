import type { Readable } from 'node:stream';

import { type Principal, ProjectAccess } from '@hone/auth';
import {
  type EvalResultsQueryDto,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  parseRef,
  RawJson,
  type ResultStatus,
  setKey,
  stringifyJson,
} from '@hone/contracts';
import type { StatusCounts } from '@hone/evaluation-results';
import { Injectable } from '@nestjs/common';

import { latencyMsOf } from '../calls/reads/call-summary.js';
import { TableRepository } from '../tables/table.repository.js';
import { EvalResultsRepository, type ResultRow, type SdkFailure } from './eval-results.repository.js';
import { RunPlanService } from './run-plan.service.js';
import { TrackedCallService } from './tracked-call.service.js';
import { textOf, type TrackedCall } from './tracked-kind.js';
import { PREDICTION } from './tracked-kinds.js';

/** What the rows of a page are made of. */
interface Found {
  trials: ReadonlyMap<string, TrackedCall>;
  scores: ReadonlyMap<string, readonly TrackedCall[]>;
  failures: ReadonlyMap<string, readonly SdkFailure[]>;
  /** Texts of rows that runs miss. */
  missing: ReadonlyMap<string, string>;
}

/** Compares evaluation runs row by row. */
@Injectable()
export class EvalResultsService {
  constructor(
    private readonly results: EvalResultsRepository,
    private readonly plans: RunPlanService,
    private readonly tables: TableRepository,
    private readonly tracked: TrackedCallService,
    private readonly access: ProjectAccess,
  ) {}

  /** Rows of runs with what each run found. An unknown project has none. @throws AccessDeniedError */
  async query(caller: Principal, projectId: string, query: EvalResultsQueryDto): Promise<RawJson | Readable> {
    const projectRowId = await this.access.findReadable(caller, 'trace', projectId);
    if (projectRowId === null) return new RawJson('{"rows":[],"total_rows":0,"summary":[]}');
    const ids = [...new Set(query.evaluation_run_ids)];
    const runs = await this.plans.plan(caller, projectId, projectRowId, ids);
    const summary = toSummary(ids, await this.results.countStatuses(projectRowId, runs));
    return this.results.query(projectRowId, runs, query, summary, async (rows) => {
      const found = await this.find(projectId, projectRowId, rows);
      return (row) => toRow(row, ids, found);
    });
  }

  private async find(projectId: string, projectRowId: string, rows: ResultRow[]): Promise<Found> {
    const ids = rows.flatMap((row) => row.ids);
    const trials = await this.tracked.listTrials(projectId, projectRowId, ids);
    const ofSdks = trials.filter((trial) => !isPrediction(trial)).map(({ row }) => row.id);
    return {
      trials: new Map(trials.map((trial) => [trial.row.id, trial])),
      scores: groupBy(await this.tracked.listScores(projectId, projectRowId, ids), ({ row }) => row.parent_id ?? ''),
      failures: groupBy(await this.results.listSdkFailures(projectRowId, ofSdks), ({ trial }) => trial),
      missing: await this.readMissing(rows),
    };
  }

  private async readMissing(rows: ResultRow[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const { rowDigest, tableProject, ids } of rows) {
      if (tableProject === null || ids.length > 0) continue;
      const text = await this.tables.findRow(tableProject, rowDigest);
      if (text !== null) texts.set(rowDigest, text);
    }
    return texts;
  }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function toSummary(ids: readonly string[], counts: readonly StatusCounts[]): object[] {
  const byRun = new Map(counts.map((one) => [one.run, one]));
  return ids.map((id) => {
    const { predicted = 0n, failed = 0n, missing = null, datasetRows = null } = byRun.get(id) ?? {};
    return {
      evaluation_run_id: id,
      dataset_rows: datasetRows === null ? null : Number(datasetRows),
      ...{ predicted: Number(predicted), failed: Number(failed), missing: missing === null ? null : Number(missing) },
    };
  });
}

function toRow(row: ResultRow, runs: readonly string[], found: Found): object {
  // A trial that was deleted meanwhile is left out.
  const trials = row.ids.map((id) => found.trials.get(id)).filter((trial) => trial !== undefined);
  const ofRow = found.missing.get(row.rowDigest);
  return {
    row_digest: row.rowDigest,
    inputs: trials[0] ? inputsOf(trials[0]) : ofRow === undefined ? null : new RawJson(ofRow),
    evaluations: runs
      .map((run) => {
        const own = trials
          .filter(({ row: { parent_id } }) => parent_id === run)
          .map((trial) => toTrial(trial, row.counted.includes(trial.row.id), found));
        return { evaluation_run_id: run, status: statusOf(own), trials: own };
      })
      .filter(({ evaluation_run_id, trials: own }) => own.length > 0 || row.missing.includes(evaluation_run_id)),
  };
}

function statusOf(trials: readonly ResultTrial[]): ResultStatus {
  if (trials.length === 0) return 'missing';
  return trials.some(({ counts, exception }) => counts && exception !== null) ? 'failed' : 'predicted';
}

interface ResultTrial {
  prediction_id: string;
  counts: boolean;
  exception: string | null;
  output: unknown;
  scores: object;
  score_exceptions: object;
  score_ids: object;
  latency_ms: number | null;
}

const isPrediction = ({ hone }: TrackedCall): boolean => textOf(hone, 'kind') === PREDICTION.kind;

function inputsOf(trial: TrackedCall): RawJson {
  const text = trial.texts.inputs ?? '{}';
  const example = isPrediction(trial) ? undefined : objectOf(text)['example'];
  return new RawJson(example === undefined ? text : stringifyJson(example));
}

function toTrial(trial: TrackedCall, counts: boolean, found: Found): ResultTrial {
  const { row, texts } = trial;
  const head = { prediction_id: row.id, latency_ms: latencyMsOf(row), counts };
  if (!isPrediction(trial)) return { ...head, ...foundBySdk(trial, found.failures.get(row.id) ?? []) };
  const [values, exceptions, ids] = [{}, {}, {}];
  // The newest score of a name comes last.
  const scores = new Map(found.scores.get(row.id)?.map((score) => [scoreNameOf(score), score]));
  for (const [name, score] of scores) {
    setKey(values, name, new RawJson(score.texts.output ?? 'null'));
    setKey(ids, name, score.row.id);
    if (score.row.exception !== null) setKey(exceptions, name, score.row.exception);
  }
  const output = new RawJson(texts.output ?? 'null');
  const { exception } = row;
  return { ...head, exception, output, scores: values, score_exceptions: exceptions, score_ids: ids };
}

const scoreNameOf = ({ row, hone }: TrackedCall): string => textOf(hone, 'name') ?? textOf(hone, 'scorer') ?? row.id;

/** The calls below say why a trial of an SDK failed, which catches what its model raises. */
function foundBySdk({ row, texts }: TrackedCall, failures: readonly SdkFailure[]) {
  const output = objectOf(texts.output ?? '{}');
  const exceptions = {};
  for (const { opName, isScorer, exception } of failures) if (isScorer) setKey(exceptions, nameOf(opName), exception);
  return {
    exception: row.exception ?? failures.find(({ isScorer }) => !isScorer)?.exception ?? null,
    output: output['output'] ?? output['model_output'] ?? null,
    scores: isJsonObject(output['scores']) ? output['scores'] : {},
    score_exceptions: exceptions,
    score_ids: {},
  };
}

/** The name of the op of a ref; what is no ref is a name. */
function nameOf(opName: string): string {
  const ref = parseRef(opName);
  return ref?.kind === 'op' ? ref.name : opName;
}

/** The keys of a stored object; none where something else is stored. */
function objectOf(text: string): Readonly<Record<string, JsonValue | undefined>> {
  const value = parseJson(text);
  return isJsonObject(value) ? value : ({} as JsonObject);
}
