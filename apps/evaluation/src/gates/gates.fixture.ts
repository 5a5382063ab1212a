import { check, type GateCreateDto, GateDto } from '@hone/contracts';
import type { TestApp } from '@hone/testing';

import { startEvaluation } from '../evaluation.fixture.js';
import { type APrediction, EvaluationRuns } from '../testing/evaluation-runs.fixture.js';
import { PROJECT } from '../testing/judged-project.fixture.js';
import { GateWorker } from './gate-worker.js';

const PATH = '/evaluation/gates';

/** Gates over runs of a project of the shared service. */
export class Gates {
  app!: TestApp;
  runs!: EvaluationRuns;

  async start(): Promise<void> {
    this.app = await startEvaluation();
  }

  async reset(): Promise<void> {
    await this.app.sql(
      `TRUNCATE gates, gate_pairs, feedback, calls, call_values, object_heads, object_versions, annotation_queues, annotation_queue_items,
        table_rows, table_versions, table_chunks`,
    );
    this.runs = await EvaluationRuns.of(this.app);
  }

  readonly ask = (body: object) => this.app.as(this.app.writer).post(PATH, { project_id: PROJECT, ...body });

  async create(body: Partial<GateCreateDto>): Promise<GateDto> {
    const { status, json } = await this.ask(body);
    expect([status, json()]).toEqual([200, expect.any(Object)]);
    return json() as GateDto;
  }

  async read(id: string): Promise<GateDto> {
    const gate = (await this.app.as(this.app.writer).get(`${PATH}/${id}`)).json() as GateDto;
    expect(check(GateDto, gate).issues).toEqual([]);
    return gate;
  }

  /** Has the gate looked at, as the service does each second. */
  async look(id: string): Promise<GateDto> {
    await this.app.sql('UPDATE gates SET look_at = now() WHERE id = $1::uuid', [id]);
    await this.app.app.get(GateWorker).run();
    return this.read(id);
  }

  /** Two runs over as many rows, by what each answers. */
  async pair(rows: number, of: (row: number, side: 0 | 1) => Omit<APrediction, 'inputs'>): Promise<[string, string]> {
    const side = (which: 0 | 1): APrediction[] =>
      Array.from({ length: rows }, (_none, row) => ({ inputs: { question: `Question ${row}?` }, ...of(row, which) }));
    return [await this.runs.ofServer(side(0)), await this.runs.ofServer(side(1))];
  }
}
