import { randomUUID } from 'node:crypto';

import { WrongAnswerError } from '../caller.mjs';

const PROJECT = 'local/faults';
const ANNOTATORS = 5;
/** Fewer than there are annotators, so that they compete. */
const REVIEWERS_PER_ITEM = 2;
/** The shortest there is: a process that is frozen for long loses its leases. */
const LEASE_SECONDS = 10;
const ITEMS_AT_ONCE = 5;
/** What annotators do with a claimed item, one after the other. */
const DEEDS = ['complete', 'renew and complete', 'start and complete', 'release', 'forget'];

/** Users who annotate one queue, each with a key of their own. */
export async function makeAnnotators(caller) {
  const { id } = await caller.send('POST', '/annotation_queues', {
    ...{ project_id: PROJECT, name: 'claimed', reviewers_per_item: REVIEWERS_PER_ITEM, lease_seconds: LEASE_SECONDS },
  });
  const annotators = [];
  for (let n = 0; n < ANNOTATORS; n++) {
    const username = `annotator-${n}`;
    await caller.send('POST', '/account/users', { username });
    await caller.send('PUT', `/account/entities/local/members/${username}`, { role: 'annotator' });
    const { key } = await caller.send('POST', '/account/api-keys', { username, label: username, scopes: ['trace'] });
    const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
    annotators.push({ items: `/annotation_queues/${id}/items`, headers: { authorization }, turn: n });
  }
  return annotators;
}

/** An annotator claims an item, and does something with it; when there is none, the queue gets some more. */
export async function claim(caller, ledger, annotator) {
  const { items } = annotator;
  const send = (path, body) => sendHeld(caller, annotator, `${items}${path}`, { project_id: PROJECT, ...body });
  const claimed = await send('/claim', {});
  if (!claimed) return;
  const { item, lease } = claimed;
  if (!item) return addItems(caller, ledger, items);
  const lease_id = lease.id;
  const deed = DEEDS[annotator.turn++ % DEEDS.length];
  if (deed === 'forget') return;
  if (deed === 'release') {
    await send(`/${item.id}/lease/release`, { lease_id });
    return;
  }
  if (deed === 'renew and complete') await send(`/${item.id}/lease/renew`, { lease_id });
  if (deed === 'start and complete') await send(`/${item.id}/progress`, { annotation_state: 'in_progress' });
  const key = `${item.id} ${item.annotator_user_id}`;
  ledger.sent('completed claim', key);
  if (await send(`/${item.id}/progress`, { annotation_state: 'completed' }))
    ledger.acknowledged('completed claim', key);
}

/** @returns {Promise<any>} undefined, too, when the lease has expired, and another has taken the place */
async function sendHeld(caller, { headers }, path, body) {
  try {
    return await caller.send('POST', path, body, headers);
  } catch (error) {
    if (error instanceof WrongAnswerError && /annotation\.(lease_lost|reviewers_full)/.test(error.message))
      return undefined;
    throw error;
  }
}

async function addItems(caller, ledger, items) {
  const ids = Array.from({ length: ITEMS_AT_ONCE }, () => randomUUID());
  const half = { project_id: PROJECT, op_name: 'op', started_at: new Date().toISOString(), attributes: {}, inputs: {} };
  const batch = ids.map((id) => ({ mode: 'start', req: { start: { ...half, id } } }));
  if (!(await caller.send('POST', '/call/upsert_batch', { batch }))) return;
  for (const id of ids) ledger.sent('claimable item', id);
  if (!(await caller.send('POST', items, { project_id: PROJECT, call_ids: ids }))) return;
  for (const id of ids) ledger.acknowledged('claimable item', id);
}
