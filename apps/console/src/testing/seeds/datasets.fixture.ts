import type { Hone } from '@hone/client';

import { HOSTILE } from './hostile.fixture.js';

/** Rows as anybody may send them: keys that are no plain names, and numbers beyond doubles. */
const ROWS = [
  { q: 'What is 2+2?', a: '4', level: 1, tags: ['sum', 'easy'] },
  { q: HOSTILE.script, a: HOSTILE.word, level: 12345678901234567890n, tags: null },
  { q: HOSTILE.rightToLeft, a: '👩‍👩‍👧‍👧 family', ['__proto__']: { polluted: true } },
];

/** A dataset. @returns id of its object */
export async function seedDataset(hone: Hone, projectId: string, name: string): Promise<string> {
  const [entity = '', project = ''] = projectId.split('/');
  const body = { name, description: 'Questions that models are asked.', rows: ROWS };
  return (await hone.trace.createDataset({ entity, project }, body as never)).object_id;
}

/** A dataset of many rows, which are few different ones: they are stored once. @returns id of its object */
export async function seedLargeDataset(hone: Hone, project_id: string, name: string, count: number): Promise<string> {
  const rows = Array.from({ length: 97 }, (_, index) => ({ q: `Question ${index}`, a: `Answer ${index}` }));
  const { row_digests } = await hone.trace.createTable({ table: { project_id, rows } });
  const all = Array.from({ length: count }, (_, index) => row_digests[index % rows.length] as string);
  const { digest } = await hone.trace.createTableFromDigests({ project_id, row_digests: all });
  const classKeys = { _type: 'Dataset', _class_name: 'Dataset', _bases: ['Object', 'BaseModel'] };
  const val = { ...classKeys, name, description: null, rows: `hone:///${project_id}/table/${digest}` };
  return (await hone.trace.createObject({ obj: { project_id, object_id: name, val } })).object_id;
}
