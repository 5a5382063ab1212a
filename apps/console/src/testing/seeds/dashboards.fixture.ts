import type { Hone } from '@hone/client';

import { HOSTILE } from './hostile.fixture.js';

/** A chart as an object has it: lines of calls, unless something else is said. */
export const aChart = (changes: Readonly<Record<string, unknown>> = {}): object => ({
  ...{ title: '', kind: 'line', measures: ['calls'], group_by: [], bucket_seconds: null, filter: '', query: null },
  ...{ width: 1, ...changes },
});

/** A dashboard, as a script stores one. @returns id of its object */
export async function seedDashboard(
  hone: Hone,
  project_id: string,
  name: string,
  charts: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const object_id = `dashboard-${name.toLowerCase().replaceAll(' ', '_')}`;
  const val = {
    ...{ _type: 'Dashboard', _class_name: 'Dashboard', _bases: ['BaseObject', 'BaseModel'] },
    ...{ name, description: null, time_span: '30d', compare: true, charts, ...more },
  };
  await hone.trace.createObject({ obj: { project_id, object_id, val } });
  return object_id;
}

/** A dashboard of all kinds of charts. @returns id of its object */
export const seedShowcaseDashboard = (hone: Hone, projectId: string): Promise<string> =>
  seedDashboard(hone, projectId, 'Cost and quality', [
    aChart({ kind: 'number', measures: ['calls', 'errors', 'cost', 'p95_latency_ms', 'thumbs_down_rate'], width: 2 }),
    aChart({ title: 'Spend', kind: 'bars', measures: ['cost'], group_by: ['model'], bucket_seconds: 86_400 }),
    aChart({ kind: 'line', measures: ['p50_latency_ms', 'p95_latency_ms'], filter: 'op_name contains "answer"' }),
    aChart({ kind: 'table', measures: ['calls', 'errors', 'error_rate', 'cost'], group_by: ['op', 'model'], width: 2 }),
    aChart({ title: 'Week by week', kind: 'table', measures: ['calls', 'cost'], bucket_seconds: 604_800 }),
  ]);

/** A dashboard whose members are missing, wrong and hostile, as a script may store it. @returns id of its object */
export const seedHostileDashboard = (hone: Hone, projectId: string): Promise<string> =>
  seedDashboard(
    hone,
    projectId,
    'Odd',
    [
      { measures: ['calls'] },
      aChart({ title: HOSTILE.script, measures: ['calls', 'happiness', HOSTILE.word], group_by: ['moon', 'op'] }),
      aChart({ title: HOSTILE.rightToLeft, kind: 'pie', measures: ['cost', 'p95_latency_ms'], bucket_seconds: -1 }),
      aChart({ title: 'Unreadable', filter: 'op_name contians "x"' }),
      aChart({ title: 'Unsayable', filter: null, query: { $expr: { $gt: [{ $literal: 1 }, { $literal: 2 }] } } }),
      aChart({ title: 'By scorer', measures: ['calls', 'avg_rating'], group_by: ['scorer'] }),
      ...[null, 7, 'chart', []],
    ],
    { name: HOSTILE.script, description: HOSTILE.word, time_span: 'for ever', compare: 'yes', ['__proto__']: 1 },
  );
