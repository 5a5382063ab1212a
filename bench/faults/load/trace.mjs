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
  if (await caller.send('POST', '/call/upsert_batch', { batch })) ledger.acknowledged('call', id);
}

/** A key is made, and the one before it revoked. */
export async function accessKey(caller, ledger) {
  const label = randomUUID();
  ledger.sent('api key', label);
  const made = await caller.send('POST', '/account/api-keys', { label, scopes: ['trace'] });
  if (!made) return;
  ledger.acknowledged('api key', label, made.id);
  ledger.sent('revoked key', made.id);
  if (await caller.send('DELETE', `/account/api-keys/${made.id}`)) ledger.acknowledged('revoked key', made.id);
}
