import { randomUUID } from 'node:crypto';

const PROJECT = 'local/faults';
const BATCH = 20;
/** Stored in pieces, as are all values of more than 256 KiB. */
const LARGE = 'é'.repeat(200_000);
const times = { started_at: '2026-01-15T09:59:00Z', ended_at: '2026-01-15T09:59:01Z' };

/** Twenty whole calls of one trace, one of them with a value in pieces: all of them or none. */
export async function wholeCalls(caller, ledger) {
  const trace_id = randomUUID();
  const batch = Array.from({ length: BATCH }, (_, index) => ({
    ...{ id: randomUUID(), trace_id, op_name: 'op', ...times, attributes: {}, summary: {} },
    ...{ inputs: { index }, output: index === 0 ? LARGE : index },
  }));
  ledger.sent('batch of whole calls', trace_id);
  if (await caller.send('POST', `/v2/${PROJECT}/calls/complete`, { batch }))
    ledger.acknowledged('batch of whole calls', trace_id);
}

/** The end of a call, then its start: together they are one finished call. */
export async function callHalves(caller, ledger) {
  const id = randomUUID();
  ledger.sent('call of two halves', id);
  const end = { project_id: PROJECT, id, ended_at: times.ended_at, output: { id }, summary: {} };
  if (!(await caller.send('POST', '/call/end', { end }))) return;
  const start = {
    project_id: PROJECT,
    id,
    op_name: 'op',
    started_at: times.started_at,
    attributes: {},
    inputs: { id },
  };
  if (await caller.send('POST', '/call/start', { start })) ledger.acknowledged('call of two halves', id);
}

/** A span of OpenTelemetry, sent twice as exporters do after a failure: one call. */
export async function span(caller, ledger) {
  const [traceId, spanId] = [randomUUID().replaceAll('-', ''), randomUUID().replaceAll('-', '').slice(0, 16)];
  const one = {
    traceId,
    spanId,
    name: 'op',
    startTimeUnixNano: '1768471140000000000',
    endTimeUnixNano: '1768471141000000000',
  };
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [one] }] }] };
  ledger.sent('span', spanId);
  for (let attempt = 0; attempt < 2; attempt++)
    if (await caller.send('POST', '/otel/v1/traces', body, { 'hone-project': PROJECT }))
      ledger.acknowledged('span', spanId);
}

/** A file in pieces. */
export async function file(caller, ledger) {
  const form = new FormData();
  form.set('project_id', PROJECT);
  form.set('file', new Blob([randomUUID(), LARGE]), 'notes.txt');
  const request = new Response(form);
  const answer = await caller.send('POST', '/file/create', Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type'),
  });
  if (!answer) return;
  ledger.sent('file', answer.digest);
  ledger.acknowledged('file', answer.digest);
}
