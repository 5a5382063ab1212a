import { check, type CompareQueryDto, ComparisonDto, type MetricComparisonDto } from '@hone/contracts';
import type { TestApp } from '@hone/testing';

import { startEvaluation } from '../evaluation.fixture.js';
import { EvaluationRuns } from '../testing/evaluation-runs.fixture.js';
import { PROJECT } from '../testing/judged-project.fixture.js';

const PATH = '/evaluation/compare';

/** Runs of a project of the shared service, and comparisons of them. */
export class Comparisons {
  app!: TestApp;
  runs!: EvaluationRuns;

  async start(): Promise<void> {
    this.app = await startEvaluation();
  }

  async reset(): Promise<void> {
    await this.app.sql(
      'TRUNCATE feedback, calls, call_values, object_heads, object_versions, table_rows, table_versions, table_chunks',
    );
    this.runs = await EvaluationRuns.of(this.app);
  }

  readonly ask = (body: object) => this.app.as(this.app.writer).post(PATH, { project_id: PROJECT, ...body });

  readonly compare = async (runs: readonly string[], body: Partial<CompareQueryDto> = {}): Promise<ComparisonDto> => {
    const { status, json } = await this.ask({ runs, ...body });
    expect([status, json()]).toEqual([200, expect.any(Object)]);
    expect(check(ComparisonDto, json()).issues).toEqual([]);
    return json() as ComparisonDto;
  };

  /** Status, and where and of which type the first issue is, or the code. */
  readonly refusal = async (body: object): Promise<unknown[]> => {
    const { status, json } = await this.ask(body);
    const { detail, code } = json() as { detail: { loc: unknown[]; type: string }[] | string; code?: string };
    return typeof detail === 'string' ? [status, code] : [status, detail[0]?.loc, detail[0]?.type];
  };
}

/** A metric of the answer. */
export const metricOf = ({ comparisons }: ComparisonDto, name: string, candidate = 0): MetricComparisonDto =>
  comparisons[candidate]?.metrics.find(({ metric }) => metric === name) as MetricComparisonDto;
