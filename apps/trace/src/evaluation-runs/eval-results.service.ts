import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';
import {
  type EvalResultsQueryDto,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  RawJson,
  setKey,
  stringifyJson,
} from '@hone/contracts';
import { type Principal, ProjectAccess } from '@hone/auth';

import { latencyMsOf } from '../calls/reads/call-summary.js';
import { EvalResultsRepository, type ResultRow } from './eval-results.repository.js';
import { TrackedCallService } from './tracked-call.service.js';
import { textOf, type TrackedCall } from './tracked-kind.js';
import { PREDICTION } from './tracked-kinds.js';

/** Compares evaluation runs row by row. */
@Injectable()
export class EvalResultsService {
  constructor(
    private readonly results: EvalResultsRepository,
    private readonly tracked: TrackedCallService,
    private readonly access: ProjectAccess,
  ) {}

  /** Rows of runs with what each run found. An unknown project has none. @throws AccessDeniedError */
  async query(caller: Principal, projectId: string, query: EvalResultsQueryDto): Promise<RawJson | Readable> {
    const projectRowId = await this.access.findReadable(caller, 'trace', projectId);
    if (projectRowId === null) return new RawJson('{"rows":[],"total_rows":0}');
    const runs = [...new Set(query.evaluation_run_ids)];
    return this.results.query(projectRowId, query, (rows) => this.#read(projectId, projectRowId, runs, rows));
  }

  async #read(projectId: string, projectRowId: string, runs: string[], rows: ResultRow[]) {
    const ids = rows.flatMap((row) => row.ids);
    const trials = new Map<string, TrackedCall>();
    for (const trial of await this.tracked.listTrials(projectId, projectRowId, ids)) trials.set(trial.row.id, trial);
    const scores = new Map<string, TrackedCall[]>();
    for (const score of await this.tracked.listScores(projectId, projectRowId, ids)) {
      const { parent_id } = score.row;
      if (parent_id !== null) scores.set(parent_id, [...(scores.get(parent_id) ?? []), score]);
    }
    return ({ rowDigest, ids: own }: ResultRow): object => {
      // A trial that was deleted meanwhile is left out.
      const found = own.map((id) => trials.get(id)).filter((trial) => trial !== undefined);
      return {
        row_digest: rowDigest,
        inputs: found[0] ? inputsOf(found[0]) : null,
        evaluations: runs
          .map((run) => ({
            evaluation_run_id: run,
            trials: found.filter(({ row }) => row.parent_id === run).map((one) => toTrial(one, scores)),
          }))
          .filter((one) => one.trials.length > 0),
      };
    };
  }
}

const isPrediction = ({ hone }: TrackedCall): boolean => textOf(hone, 'kind') === PREDICTION.kind;

function inputsOf(trial: TrackedCall): RawJson {
  const text = trial.texts.inputs ?? '{}';
  const example = isPrediction(trial) ? undefined : objectOf(text)['example'];
  return new RawJson(example === undefined ? text : stringifyJson(example));
}

function toTrial(trial: TrackedCall, scores: ReadonlyMap<string, TrackedCall[]>): object {
  const { row, texts } = trial;
  const head = { prediction_id: row.id, exception: row.exception, latency_ms: latencyMsOf(row) };
  if (!isPrediction(trial)) {
    const output = objectOf(texts.output ?? '{}');
    const found = isJsonObject(output['scores']) ? output['scores'] : {};
    return { ...head, output: output['output'] ?? output['model_output'] ?? null, scores: found, score_ids: {} };
  }
  const [values, ids] = [{}, {}];
  for (const score of scores.get(row.id) ?? []) {
    const name = textOf(score.hone, 'name') ?? textOf(score.hone, 'scorer') ?? score.row.id;
    setKey(values, name, new RawJson(score.texts.output ?? 'null'));
    setKey(ids, name, score.row.id);
  }
  return { ...head, output: new RawJson(texts.output ?? 'null'), scores: values, score_ids: ids };
}

/** The keys of a stored object; none where something else is stored. */
function objectOf(text: string): Readonly<Record<string, JsonValue | undefined>> {
  const value = parseJson(text);
  return isJsonObject(value) ? value : ({} as JsonObject);
}
