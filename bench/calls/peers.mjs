import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import protobuf from 'protobufjs';
import { request } from 'undici';

import { findPython } from '../../.ci/python/find-python.mjs';
import { OTLP_SCHEMA } from '../../apps/trace/dist/otlp/otlp-schema.js';
import { World } from '../trace/world.mjs';
import { finishedCalls } from './call-content.mjs';
import { PeerServer } from './peers/peer-server.mjs';

const REQUEST = protobuf.Root.fromJSON(OTLP_SCHEMA).lookupType('ExportTraceServiceRequest');
const CONNECTIONS = 4;
const BATCH = 100;
/** Batches of one turn: what the peers store in some ten seconds, and Hone in some seconds. */
const SHAPE = { full: { rounds: 3, hone: 200, peer: 16 }, quick: { rounds: 1, hone: 40, peer: 4 } };
const DURABLE_MS = 300_000;
const POLL_MS = 100;

/**
 * The same calls to Hone, MLflow and Phoenix in turn: how many a second until all of them are in the database. Answers
 * alone do not count: some servers answer for what is in memory only. The peers take spans in protobuf, the fastest way
 * into them; Hone takes finished calls, its own fastest way, and the peers' very spans.
 */
export async function measurePeers(context) {
  const { options, progress, report } = context;
  const python = findPython();
  if (python === null) {
    report.add({
      measure: 'spans beside MLflow and Phoenix',
      value: null,
      unit: 'spans/s',
      note: 'left out: needs Python 3.12',
    });
    return;
  }
  const shape = options.quick ? SHAPE.quick : SHAPE.full;
  const { calls, spans, stop } = await honeSides(context);
  const peers = [];
  for (const name of ['mlflow', 'phoenix']) peers.push(await PeerServer.start(context, name, python));
  const rates = new Map([calls, spans, ...peers].map((side) => [side, []]));
  const before = new Map();
  for (const peer of peers) before.set(peer, { bytes: await peer.bytes(), spans: peer.count() });
  for (let round = 0; round < shape.rounds; round++)
    for (const [side, rounds] of rates) {
      for (const peer of peers) peer.pause(peer !== side);
      progress.step(`${side.name}, round ${round + 1} of ${shape.rounds}`);
      rounds.push(await untilDurable(side, peers.includes(side) ? shape.peer : shape.hone));
    }
  const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
  for (const peer of peers) {
    const [value, asSpans, theirs] = [calls, spans, peer].map((side) => median(rates.get(side)));
    report.add({
      measure: 'calls of 2 KiB until durable, batches of 100',
      ...{ value, unit: 'calls/s', peer: theirs, peerName: peer.name },
      ...{ target: 'ratio >= 20', isMet: value / theirs >= 20 },
    });
    report.add({
      measure: '  the same as spans in protobuf on both sides',
      ...{ value: asSpans, unit: 'spans/s', peer: theirs, peerName: peer.name },
    });
  }
  for (const peer of peers) {
    const { bytes, spans } = before.get(peer);
    const perSpan = ((await peer.bytes()) - bytes) / (peer.count() - spans);
    report.add({ measure: `  bytes on disk per span, ${peer.name}`, value: perSpan, unit: 'B' });
    peer.pause(false);
    await peer.stop();
  }
  await stop();
}

async function honeSides(context) {
  const world = await World.of(context);
  const [client] = await world.connect(1);
  const project = await world.makeProject(client, 'peers');
  const trace = await world.startTrace();
  const count = async () => {
    const { rows } = await client.query('SELECT count(*)::int AS count FROM calls WHERE project_id = $1', [
      project.rowId,
    ]);
    return rows[0].count;
  };
  const stop = async () => {
    await client.end();
    await trace.stop();
  };
  const headers = { authorization: world.authorization, 'hone-project': project.id };
  const side = { port: trace.port, count };
  const calls = {
    ...side,
    ...{ name: 'finished calls to Hone', path: `/v2/${project.id}/calls/complete`, toBody: toCalls },
    headers: { ...headers, 'content-type': 'application/json' },
  };
  const spans = { ...side, name: 'spans to Hone', path: '/otel/v1/traces', headers };
  return { calls, spans, stop };
}

/** Sends batches over a few connections. @returns spans per second until all are in the database */
async function untilDurable(side, batches) {
  const path = side.path ?? '/v1/traces';
  const toBody = side.toBody ?? toSpans;
  const requests = Array.from({ length: batches }, (_, seed) => toBody(finishedCalls(seed, BATCH)));
  const goal = (await side.count()) + batches * BATCH;
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let body = requests.pop(); body; body = requests.pop())
        await send(`http://127.0.0.1:${side.port}${path}`, side.headers, body);
    }),
  );
  while ((await side.count()) < goal) {
    if (performance.now() - begin > DURABLE_MS) throw new Error(`${side.name} did not store all spans`);
    await sleep(POLL_MS);
  }
  return (batches * BATCH * 1_000) / (performance.now() - begin);
}

/** As exporters do: refused for now is sent again. */
async function send(url, headers, body) {
  for (;;) {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', ...headers },
      body,
    });
    const answer = await response.body.text();
    if (response.statusCode === 200) return;
    if (![429, 503].includes(response.statusCode))
      throw new Error(`${url}: ${response.statusCode} ${answer.slice(0, 300)}`);
    await sleep(POLL_MS);
  }
}

const toCalls = (calls) => Buffer.from(JSON.stringify({ batch: calls }));

/** Calls as spans, with the attributes of OpenTelemetry's conventions for generative AI. */
function toSpans(calls) {
  const ids = new Map();
  const idOf = (text, bytes) => ids.get(text) ?? ids.set(text, randomBytes(bytes)).get(text);
  const nanos = (time) => String(BigInt(Date.parse(time)) * 1_000_000n);
  const spans = calls.map((call) => ({
    traceId: idOf(`trace ${call.trace_id}`, 16),
    spanId: idOf(call.id, 8),
    ...(call.parent_id && { parentSpanId: idOf(call.parent_id, 8) }),
    ...{ name: call.op_name.split('/').at(-1), kind: 3 },
    ...{ startTimeUnixNano: nanos(call.started_at), endTimeUnixNano: nanos(call.ended_at) },
    attributes: [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.request.model', call.inputs.model),
      text('gen_ai.input.messages', JSON.stringify(call.inputs.messages)),
      text('gen_ai.output.messages', JSON.stringify([call.output])),
      { key: 'gen_ai.usage.input_tokens', value: { intValue: 211 } },
      { key: 'gen_ai.usage.output_tokens', value: { intValue: 190 } },
    ],
  }));
  const resource = { attributes: [text('service.name', 'bench')] };
  return Buffer.from(
    REQUEST.encode(REQUEST.fromObject({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })).finish(),
  );
}

const text = (key, value) => ({ key, value: { stringValue: value } });
