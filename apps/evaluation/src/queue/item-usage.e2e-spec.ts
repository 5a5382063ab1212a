import { newId } from '@hone/database';
import type { TestApp } from '@hone/testing';

import { startEvaluation } from '../evaluation.fixture.js';
import { JudgedProject } from '../testing/judged-project.fixture.js';
import { usageOf } from './item-usage.sql.js';

const MANY = 20_000;
const uidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('usage of items', () => {
  let app: TestApp;
  let project: JudgedProject;
  beforeAll(async () => {
    app = await startEvaluation();
    project = await JudgedProject.of(app);
    await project.addUsage([
      ...Array.from({ length: MANY }, () => newId()),
      ...Array.from({ length: MANY }, (_, n) => `${uidOf(n)}.1.0.0`),
      ...[`${uidOf(7)}.1.1.0`, `${uidOf(7)}.2.0.0`, `${uidOf(7)}x.1`],
    ]);
    await app.sql('ANALYZE usage_records');
  });
  afterAll(() => app.close());

  const today = new Date();
  const uids = Array.from({ length: 500 }, (_, n) => uidOf(n * 3 + 7));

  it('is summed by attempt', async () => {
    const found = await app.db.client.$queryRaw(usageOf(project.rowId, [uidOf(7), uidOf(MANY)], today));
    expect(found).toEqual([
      { uid: uidOf(7), attempt: '1', cost: 2_000_000 },
      { uid: uidOf(7), attempt: '2', cost: 1_000_000 },
    ]);
  });

  it('is read by an index, however many records a day has', async () => {
    const { text: sql, values } = usageOf(project.rowId, uids, today);
    const plan = await app.sql(`EXPLAIN (FORMAT JSON) ${sql}`, values);
    const text = JSON.stringify(plan);
    expect(text).toContain('Index Scan');
    expect(text).not.toContain('Seq Scan');
  });
});
