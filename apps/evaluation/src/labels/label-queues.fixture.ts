import { check, LabelQueueDto } from '@hone/contracts';

import { PROJECT } from '../testing/judged-project.fixture.js';
import { ReportedProject, TRUTH } from '../truth/reports.fixture.js';

export const PATH = '/evaluation/label-queues';

/** A row of what was recorded of a draw. */
export interface ADraw {
  readonly call_id: string;
  readonly chance: number;
  readonly is_drawn: boolean;
  readonly is_known: boolean;
}

/** A reported project whose judge `helpful` has rated calls from 1 to 5, and which has the annotation field `quality`. */
export class DrawnProject extends ReportedProject {
  override async reset(): Promise<void> {
    await super.reset();
    await this.project.addField('quality');
  }

  /** Calls with the judge's rating of each. */
  readonly addRated = async (ratings: readonly number[], spreads: readonly number[] = []): Promise<string[]> => {
    const calls = await this.addCalls(ratings.length);
    await this.add(
      ...calls.map((call, at) => {
        const spread = spreads[at] === undefined ? {} : { spread: { helpful: spreads[at] } };
        return this.ofJudge(call, { helpful: ratings[at] as number, ...spread });
      }),
    );
    return calls;
  };

  readonly askQueue = (body: object, who = this.app.writer) =>
    this.app.as(who).post(PATH, {
      ...{ project_id: PROJECT, scorer: 'helpful', criterion: 'helpful', truth: TRUTH, seed: 1, ...body },
    });

  readonly draw = async (body: object): Promise<LabelQueueDto> => {
    const { status, json } = await this.askQueue(body);
    expect([status, json()]).toEqual([200, expect.any(Object)]);
    expect(check(LabelQueueDto, json()).issues).toEqual([]);
    return json() as LabelQueueDto;
  };

  readonly drawsOf = ({ queue_id }: LabelQueueDto): Promise<ADraw[]> =>
    this.app.sql<{ call_id: string; chance: number; is_drawn: boolean; is_known: boolean }>(
      'SELECT call_id, chance, is_drawn, is_known FROM label_draws WHERE queue_id = $1 ORDER BY call_id',
      [queue_id],
    );

  /** The calls of the queue, in the order in which people are given them. */
  readonly itemsOf = async ({ queue_id }: LabelQueueDto): Promise<string[]> => {
    const rows = await this.app.sql<{ call_id: string }>(
      'SELECT call_id FROM annotation_queue_items WHERE queue_id = $1 AND deleted_at IS NULL ORDER BY created_at, id',
      [queue_id],
    );
    return rows.map((row) => row.call_id);
  };

  readonly reportHelpful = (body: object = {}) => this.report({ scorer: 'helpful', criterion: 'helpful', ...body });
}
