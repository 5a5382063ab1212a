import { contentDigest, type JsonObject, type JsonValue, tableDigest } from '@hone/contracts';
import { newId } from '@hone/database';
import type { TestApp } from '@hone/testing';

import { type ACall, JudgedProject, PROJECT } from './judged-project.fixture.js';

/** A prediction of a spec; the rest is made up. */
export interface APrediction {
  /** The row, or what names it. */
  readonly inputs: JsonValue;
  /** What the model is asked, where that is not the row. */
  readonly sent?: JsonValue;
  readonly output?: JsonValue;
  /** Name -> value. */
  readonly scores?: JsonObject;
  /** Name -> ref of its scorer, of server-shaped runs. */
  readonly scorers?: Readonly<Record<string, string>>;
  readonly latencyMs?: number;
  readonly exception?: string;
  /** What the model's call used, by model. */
  readonly usage?: JsonObject;
}

interface RunOptions {
  /** Ref of the evaluation. */
  readonly evaluation?: string;
}

const op = (name: string): string => `hone:///${PROJECT}/op/${name}:v0`;

/** Evaluation runs of a project, in the forms in which SDKs and the trace service store them. */
export class EvaluationRuns {
  private constructor(
    private readonly app: Pick<TestApp, 'sql'>,
    readonly project: JudgedProject,
    private readonly projectId: string,
  ) {}

  static async of(app: TestApp, projectId = PROJECT): Promise<EvaluationRuns> {
    return new EvaluationRuns(app, await JudgedProject.of(app, projectId), projectId);
  }

  /** A run as Weave's `Evaluation` traces it: `predict_and_score` with the model's call below. @returns its id */
  async ofSdk(predictions: readonly APrediction[], { evaluation = 'none' }: RunOptions = {}): Promise<string> {
    const run = newId();
    const calls = predictions.flatMap((prediction): ACall[] => {
      const { inputs, output = 'answer', scores = {}, latencyMs = 500, exception, usage } = prediction;
      const id = newId();
      return [
        {
          ...{
            id,
            parentId: run,
            traceId: run,
            opName: op('Evaluation.predict_and_score'),
            latencyMs: latencyMs + 2_000,
          },
          inputs: { self: evaluation, model: 'none', example: inputs },
          output: { output, scores, model_latency: latencyMs / 1_000 },
          ...(exception !== undefined && { exception }),
        },
        {
          ...{ id: newId(), parentId: id, traceId: run, opName: op('Model.predict'), latencyMs, inputs: {}, output },
          ...(usage && { summary: { usage } }),
        },
        {
          // A scorer that asks a model: what it uses is none of the model's.
          ...{ id: newId(), parentId: id, traceId: run, opName: op('judge'), output: true },
          inputs: { self: 'none', output, inputs },
          summary: { usage: { 'gpt-4o': { requests: 1, prompt_tokens: 9_999, completion_tokens: 9_999 } } },
        },
      ];
    });
    await this.project.addCalls(
      {
        id: run,
        traceId: run,
        opName: op('Evaluation.evaluate'),
        inputs: { self: evaluation, model: 'none' },
        output: {},
      },
      ...calls,
    );
    return run;
  }

  /** A run as the trace service stores it: predictions with their scores below. @returns its id */
  async ofServer(predictions: readonly APrediction[], { evaluation = 'none' }: RunOptions = {}): Promise<string> {
    const run = newId();
    const calls = predictions.flatMap((prediction): ACall[] => {
      const { inputs, output = 'answer', scores = {}, scorers = {}, latencyMs = 500, exception, usage } = prediction;
      const id = newId();
      return [
        {
          ...{ id, parentId: run, traceId: run, opName: 'Model.predict', output, latencyMs },
          inputs: prediction.sent ?? inputs,
          attributes: { hone: { kind: 'prediction', evaluation_run_id: run, row_digest: contentDigest(inputs) } },
          ...(exception !== undefined && { exception }),
          ...(usage && { summary: { usage } }),
        },
        ...Object.entries(scores).map(([name, value]) => ({
          ...{ id: newId(), parentId: id, traceId: run, opName: 'Scorer.score', inputs: {}, output: value ?? null },
          attributes: { hone: { kind: 'score', name, scorer: scorers[name] ?? 'none', prediction_id: id } },
        })),
      ];
    });
    const attributes = { hone: { kind: 'evaluation_run', evaluation, model: 'none' } };
    const inputs = { self: evaluation, model: 'none' };
    await this.project.addCalls(
      { id: run, traceId: run, opName: 'Evaluation.evaluate', attributes, inputs, output: {} },
      ...calls,
    );
    return run;
  }

  /** Stores an evaluation of a dataset. @returns its ref, and refs of the rows as SDKs name them */
  async addEvaluation(name: string, rows: readonly JsonObject[], trials = 1): Promise<{ ref: string; rows: string[] }> {
    const digests = rows.map((row) => contentDigest(row));
    const table = tableDigest(digests);
    await this.app.sql(
      `INSERT INTO table_rows (project_id, digest, val_text, size_bytes)
       SELECT $1::uuid, row->>0, row->>1, 1 FROM jsonb_array_elements($2::jsonb) AS row ON CONFLICT DO NOTHING`,
      [this.project.rowId, JSON.stringify(rows.map((row, at) => [digests[at], JSON.stringify(row)]))],
    );
    await this.app.sql(
      `WITH made AS (INSERT INTO table_versions (project_id, digest, row_count, created_at) VALUES ($1, $2, $3, now()) ON CONFLICT DO NOTHING)
       INSERT INTO table_chunks (project_id, digest, chunk_no, row_digests) VALUES ($1, $2, 0, $4) ON CONFLICT DO NOTHING`,
      [this.project.rowId, table, rows.length, digests],
    );
    const object = async (id: string, val: JsonObject): Promise<string> =>
      `hone:///${this.projectId}/object/${id}:${await this.project.addObject(id, val)}`;
    const dataset = await object(`${name}-rows`, {
      ...{ _type: 'Dataset', _class_name: 'Dataset', _bases: ['Object', 'BaseModel'] },
      rows: `hone:///${this.projectId}/table/${table}`,
    });
    const ref = await object(name, {
      ...{ _type: 'Evaluation', _class_name: 'Evaluation', _bases: ['Object', 'BaseModel'], dataset, trials },
    });
    return { ref, rows: digests.map((digest) => `${dataset}/attr/rows/id/${digest}`) };
  }
}
