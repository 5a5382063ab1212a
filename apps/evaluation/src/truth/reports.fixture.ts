import { check, JudgeReportDto } from '@hone/contracts';
import { newId } from '@hone/database';
import type { TestApp } from '@hone/testing';

import { startEvaluation } from '../evaluation.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';

export const PATH = '/evaluation/reports';
const QUALITY = 'hone.annotation.quality';
export const TRUTH = { feedback_type: QUALITY };
export const CONTAINS = { kind: 'check', check: { check: 'contains', value: 'cold' } };
const JUDGE = {
  kind: 'llm',
  llm: {
    model: 'judge',
    messages: [{ role: 'user', content: '{{output}}' }],
    ratings: [{ name: 'helpful', min: 1, max: 5 }],
    tags: [{ name: 'polite' }],
  },
};

/** Feedback that a spec stores, as the trace service would have. */
export interface AFeedback {
  readonly call: string;
  readonly type: string;
  readonly payload: object;
  /** `<scorer>:<digest>`; absent: a person's. */
  readonly runnable?: string;
  readonly tags?: readonly string[];
}

const START_MS = Date.UTC(2026, 10, 2);
let count = 0;

/** A project with a check `cold` and a judge `helpful`, whose verdicts and labels specs store, and report. */
export class ReportedProject {
  app!: TestApp;
  project!: JudgedProject;
  /** `<scorer>:<digest>`. */
  cold = '';
  helpful = '';

  async start(): Promise<void> {
    this.app = await startEvaluation();
  }

  async reset(): Promise<void> {
    await this.app.sql(
      'TRUNCATE feedback, calls, call_values, object_heads, object_versions, label_queues, label_draws, annotation_queues, annotation_queue_items',
    );
    this.project = await JudgedProject.of(this.app);
    this.cold = `cold:${await this.project.addScorer('cold', CONTAINS)}`;
    this.helpful = `helpful:${await this.project.addScorer('helpful', JUDGE)}`;
  }

  readonly ofCheck = (call: string, output: object, runnable = this.cold): AFeedback => ({
    ...{ call, type: 'hone.runnable.cold', runnable, payload: { output } },
  });
  readonly ofJudge = (call: string, output: object, ...tags: string[]): AFeedback => ({
    ...{ call, type: 'hone.runnable.helpful', runnable: this.helpful, payload: { output }, tags },
  });
  readonly label = (call: string, value: unknown): AFeedback => ({ call, type: QUALITY, payload: { value } });

  readonly addCalls = (count: number) => this.project.addCalls(...new Array<object>(count).fill({}));

  /** Stores feedback, each a millisecond newer than the one before. */
  readonly add = async (...records: readonly AFeedback[]): Promise<void> => {
    await this.app.sql(
      `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, runnable_ref, payload_text, payload_json,
         scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
       SELECT $1::uuid, one->>'id', (one->>'at')::timestamptz, $2::uuid, one->>'type', one->>'ref', one->>'runnable', one->>'payload',
         (one->'payload')::jsonb, ARRAY(SELECT jsonb_array_elements_text(one->'tags')), '{}', '{}', '{}', '{}', '{}'
       FROM jsonb_array_elements($3::jsonb) AS one`,
      [this.project.rowId, this.app.writer.id, JSON.stringify(records.map(toRow))],
    );
  };

  /** Stores what a scorer found that a client runs. @param runnable `object/<id>:<digest>` or `op/<name>:<digest>` */
  readonly addFound = (runnable: string, callId: string, output: unknown): Promise<unknown> =>
    this.app.sql(
      `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, runnable_ref, payload_json,
         scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
       VALUES ($1, $2, now(), $3, $4, $5, $6, $7, '{}', '{}', '{}', '{}', '{}', '{}')`,
      [
        ...[this.project.rowId, newId(), this.app.writer.id, `hone.runnable.${runnable.split(/[/:]/)[1]}`],
        ...[`${PROJECT}/call/${callId}`, `${PROJECT}/${runnable}`, JSON.stringify({ output })],
      ],
    );

  /** Verdicts and labels of 0 and 1: a call for each, those without a label last. */
  readonly addRate = async (human: readonly number[], judge: readonly number[]): Promise<string[]> => {
    const calls = await this.addCalls(judge.length);
    await this.add(
      ...calls.map((call, at) => this.ofCheck(call, { passed: judge[at] as number })),
      ...human.map((value, at) => this.label(calls[at] as string, value)),
    );
    return calls;
  };

  readonly ask = (body: object) => {
    const client = this.app.as(this.app.writer);
    return client.post(PATH, { project_id: PROJECT, scorer: 'cold', criterion: 'passed', truth: TRUTH, ...body });
  };

  readonly report = async (body: object = {}): Promise<JudgeReportDto> => {
    const { status, json } = await this.ask(body);
    expect([status, json()]).toEqual([200, expect.any(Object)]);
    expect(check(JudgeReportDto, json()).issues).toEqual([]);
    return json() as JudgeReportDto;
  };
}

/** Each value so many times. */
export const repeat = (...runs: readonly (readonly [value: number, times: number])[]): number[] =>
  runs.flatMap(([value, times]) => new Array<number>(times).fill(value));

const toRow = ({ call, type, payload, runnable, tags = [] }: AFeedback) => ({
  ...{ id: newId(), at: new Date(START_MS + count++).toISOString(), type, payload, tags },
  ref: `${PROJECT}/call/${call}`,
  runnable: runnable === undefined ? null : `${PROJECT}/object/${runnable}`,
});
