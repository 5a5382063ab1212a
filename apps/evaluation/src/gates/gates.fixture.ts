import { check, type GateCreateDto, GateDto } from '@hone/contracts';
import { newId } from '@hone/database';
import type { TestApp } from '@hone/testing';

import { startEvaluation } from '../evaluation.fixture.js';
import { type APrediction, EvaluationRuns } from '../testing/evaluation-runs.fixture.js';
import { PROJECT } from '../testing/judged-project.fixture.js';
import { GateWorker } from './gate-worker.js';

export const PATH = '/evaluation/gates';
/** The score that is compared where a spec names none. */
export const METRIC = 'scores.exact';
export const QUALITY = 'hone.annotation.quality';
const PRIME = 7;

/** Passes of `rate` of the rows, spread over them. */
export const passes = (row: number, rate: number, rows = 200): boolean => {
  const place = (PRIME * row) % rows;
  return Math.floor((place + 1) * rate) > Math.floor(place * rate);
};

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
    await this.app.sql(`UPDATE gates SET look_at = now() - interval '1 second' WHERE id = $1::uuid`, [id]);
    await this.app.app.get(GateWorker).run();
    return this.read(id);
  }

  /** Two runs over as many rows, by what each answers. */
  async pair(rows: number, of: (row: number, side: 0 | 1) => Partial<APrediction>): Promise<[string, string]> {
    const side = (which: 0 | 1): APrediction[] =>
      Array.from({ length: rows }, (_none, row) => ({ inputs: { question: `Question ${row}?` }, ...of(row, which) }));
    return [await this.runs.ofServer(side(0)), await this.runs.ofServer(side(1))];
  }

  /** A gate over two runs of 200 rows that pass so many of them, looked at once. @param more of each prediction */
  async compare(
    rates: readonly [number, number],
    body: Partial<GateCreateDto> = {},
    more: (row: number, side: 0 | 1) => Partial<APrediction> = () => ({}),
  ): Promise<GateDto> {
    const runs = await this.pair(200, (row, side) => {
      const { scores, ...rest } = more(row, side);
      return { scores: { exact: passes(row, rates[side]), ...scores }, ...rest };
    });
    const { id } = await this.create({ runs, metric: METRIC, fact: true, ...body });
    return this.look(id);
  }

  /** Calls that annotators of the gate's queue are given, by the side that they answered for. */
  async asked({ queue_id, settings }: GateDto): Promise<[baseline: string[], candidate: string[]]> {
    const items = await this.app.sql<{ id: string; run: string }>(
      `SELECT c.id, c.parent_id AS run FROM annotation_queue_items i JOIN calls c ON c.project_id = i.project_id AND c.id = i.call_id
       WHERE i.queue_id = $1 ORDER BY c.id`,
      [queue_id],
    );
    const of = (run: string | undefined) => items.filter((item) => item.run === run).map(({ id }) => id);
    return [of(settings.runs?.[0]), of(settings.runs?.[1])];
  }

  /** What people say of calls. */
  async label(calls: readonly string[], value: (at: number) => unknown, type = QUALITY): Promise<void> {
    await this.app.sql(
      `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, payload_json,
         scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
       SELECT $1::uuid, one->>'id', now(), $2::uuid, $3, one->>'ref', one->'payload', '{}', '{}', '{}', '{}', '{}', '{}'
       FROM jsonb_array_elements($4::jsonb) AS one`,
      [
        ...[this.runs.project.rowId, this.app.writer.id, type],
        JSON.stringify(
          calls.map((call, at) => ({ id: newId(), ref: `${PROJECT}/call/${call}`, payload: { value: value(at) } })),
        ),
      ],
    );
  }
}
