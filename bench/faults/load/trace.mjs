import { randomUUID } from 'node:crypto';

const PROJECT = 'local/faults';
const ref = (id) => `hone:///${PROJECT}/call/${id}`;

/** One record under an id of the client's. */
export async function feedback(caller, ledger) {
  const id = randomUUID();
  const body = { id, project_id: PROJECT, trace_ref: ref('c'), feedback_type: 'quality', payload: { score: 1 } };
  ledger.sent('feedback', id);
  if (await caller.send('POST', '/feedback/create', body)) ledger.acknowledged('feedback', id);
}

/** Twenty at once, without ids: they carry a mark, and must be there all or not at all, and once. */
export async function feedbackBatch(caller, ledger) {
  const mark = randomUUID();
  const one = { project_id: PROJECT, trace_ref: ref('c'), feedback_type: `batch.${mark}`, payload: {} };
  ledger.sent('feedback batch', mark);
  const answer = await caller.send('POST', '/feedback/batch/create', { batch: Array(20).fill(one) });
  if (answer) ledger.acknowledged('feedback batch', mark, answer.res.length);
}

export async function objectVersion(caller, ledger) {
  const mark = randomUUID();
  const obj = { project_id: PROJECT, object_id: `thing-${mark.slice(0, 2)}`, val: { mark } };
  ledger.sent('object version', mark);
  const answer = await caller.send('POST', '/obj/create', { obj });
  if (answer) ledger.acknowledged('object version', mark, answer.digest);
}

/** More than one megabyte: read in a thread of its own, and stored in pieces. */
const HEAVY_TEXT = 'é'.repeat(600_000);

/** A version whose value is stored in pieces, which must all be there. */
export async function heavyVersion(caller, ledger) {
  const name = `heavy-${randomUUID()}`;
  const obj = { project_id: PROJECT, object_id: name, val: { name, text: HEAVY_TEXT } };
  ledger.sent('heavy version', name);
  if (await caller.send('POST', '/obj/create', { obj })) ledger.acknowledged('heavy version', name);
}

/** A batch that is heavy for its size, all of it or nothing, as a small one. */
export async function heavyBatch(caller, ledger) {
  const mark = randomUUID();
  const payload = { text: HEAVY_TEXT.slice(0, 40_000) };
  const one = { project_id: PROJECT, trace_ref: ref('c'), feedback_type: `batch.${mark}`, payload };
  ledger.sent('feedback batch', mark);
  const answer = await caller.send('POST', '/feedback/batch/create', { batch: Array(20).fill(one) });
  if (answer) ledger.acknowledged('feedback batch', mark, answer.res.length);
}

/** @returns {Promise<string | undefined>} its id, once it is acknowledged */
export async function call(caller, ledger) {
  const id = randomUUID();
  const start = {
    project_id: PROJECT,
    id,
    op_name: 'op',
    started_at: new Date().toISOString(),
    attributes: {},
    inputs: {},
  };
  ledger.sent('call', id);
  const batch = [{ mode: 'start', req: { start } }];
  if (!(await caller.send('POST', '/call/upsert_batch', { batch }))) return undefined;
  ledger.acknowledged('call', id);
  return id;
}

/** A table, an object that names it, with a tag and an alias. */
export async function dataset(caller, ledger) {
  const name = `data-${randomUUID()}`;
  const rows = Array.from({ length: 50 }, (_, index) => ({ name, index }));
  const table = await caller.send('POST', '/table/create', { table: { project_id: PROJECT, rows } });
  if (!table) return;
  ledger.sent('row of a table', table.digest);
  ledger.acknowledged('row of a table', table.digest);
  const obj = { project_id: PROJECT, object_id: name, val: { rows: `hone:///${PROJECT}/table/${table.digest}` } };
  if (!(await caller.send('POST', '/obj/create', { obj }))) return;
  ledger.sent('tag', name);
  const tagged = await caller.send('PUT', `/objs/${name}/versions/latest/tags`, { project_id: PROJECT, tags: [name] });
  if (tagged) ledger.acknowledged('tag', name);
  ledger.sent('alias', name);
  const aliased = { project_id: PROJECT, digest: 'v0', aliases: [name] };
  if (await caller.send('PUT', `/objs/${name}/aliases`, aliased)) ledger.acknowledged('alias', name);
}

/** A call joins a queue and is judged there. */
export async function judgement(caller, ledger) {
  const id = await call(caller, ledger);
  if (id === undefined) return;
  ledger.sent('queue', id);
  const queue = await caller.send('POST', '/annotation_queues', { project_id: PROJECT, name: id });
  if (!queue) return;
  ledger.acknowledged('queue', id);
  const items = `/annotation_queues/${queue.id}/items`;
  ledger.sent('queue item', id);
  const added = { project_id: PROJECT, call_ids: [id], display_fields: ['inputs'] };
  if (!(await caller.send('POST', items, added))) return;
  ledger.acknowledged('queue item', id);
  const found = await caller.send('POST', `${items}/query`, { project_id: PROJECT });
  if (!found) return;
  const [item] = found.items;
  ledger.sent('judgement', item.id);
  const done = { project_id: PROJECT, annotation_state: 'completed' };
  if (await caller.send('POST', `${items}/${item.id}/progress`, done)) ledger.acknowledged('judgement', item.id);
}

/** A model with source code, and an evaluation, which is deleted again. */
export async function evaluation(caller, ledger) {
  const name = randomUUID();
  const base = `/v2/${PROJECT}`;
  ledger.sent('model version', `m-${name}`);
  const model = await caller.send('POST', `${base}/models`, { name: `m-${name}`, source_code: 'pass' });
  if (model) ledger.acknowledged('model version', `m-${name}`);
  ledger.sent('evaluation', name);
  const dataset = `hone:///${PROJECT}/object/questions:latest`;
  if (!(await caller.send('POST', `${base}/evaluations`, { name, dataset }))) return;
  ledger.acknowledged('evaluation', name);
  ledger.sent('deleted evaluation', name);
  const deleted = await caller.send('DELETE', `${base}/evaluations/${name}`);
  if (deleted) ledger.acknowledged('deleted evaluation', name);
}
