import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { HttpConnection } from '../harness/http-connection.mjs';
import { probeUntil } from '../harness/probes.mjs';
import { Service } from '../harness/service.mjs';
import { Caller } from './caller.mjs';
import { GatewayWorld } from './world.mjs';

const MAX_HOLD_MS = 200;
const MIB = 1_048_576;
const CHATS = 4;
const POLL_MS = 50;
const PROJECT = 'bench/default';

const user = (content) => [{ role: 'user', content }];
const image = (bytes) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${randomBytes(bytes).toString('base64')}` },
});
const call = { id: 'a', type: 'function', function: { name: 'query', arguments: '{}' } };
const table = () =>
  JSON.stringify(Array.from({ length: 36_000 }, (_, id) => ({ id, name: `row ${id}`, share: id / 8 })));

/** Messages by what is large in them. */
const LARGE = {
  'prompts of 1.5 MiB': () => user('word '.repeat((1.5 * MIB) / 5)),
  'results of tools of 1.5 MiB': () => [
    ...user('how many?'),
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: table() },
  ],
  'images of 6 MiB': () => user([image(6 * MIB)]),
  '400 small images': () => user(Array.from({ length: 400 }, () => image(12_000))),
};

/**
 * How long large chats keep probes waiting: in the gateway until their calls are stored, in trace while they are read,
 * in training while data is made of them.
 */
export async function measureLargeCalls(context) {
  const { progress } = context;
  const world = await GatewayWorld.of(context);
  const environment = { DATABASE_URL: world.world.url, HONE_DATA_DIR: `${world.dir}/data of Hone` };
  const [client] = await world.world.connect(1);
  const hone = await world.startHone();
  const trace = await Service.start(context, 'trace', environment);
  const training = await Service.start(context, 'training', environment);
  for (const [name, messagesOf] of Object.entries(LARGE)) {
    progress.step(`probes beside ${name}`);
    const requests = Array.from({ length: CHATS }, () => hone.request('whole', { messages: messagesOf() }));
    await measureIn(context, hone, `chats with ${name}`, () => chat(hone, requests, client));
  }
  progress.step('probes beside reads of large calls');
  await measureIn(context, trace, 'reads of such calls', () => readCalls(trace, world.world));
  await measureIn(context, training, 'training data of such calls', () => makeData(training, world.world));
  for (const service of [hone, trace, training]) await service.stop();
  await client.end();
}

async function measureIn({ report }, { port }, name, work) {
  const probes = await HttpConnection.open(port);
  const begin = performance.now();
  let isOver = false;
  const working = work().finally(() => (isOver = true));
  const { longestMs, count } = await probeUntil(probes, () => isOver);
  const megabytes = (await working) / 1e6;
  probes.close();
  report.add({
    measure: `longest probe beside ${name}`,
    value: longestMs,
    unit: 'ms',
    target: `<= ${MAX_HOLD_MS} ms`,
    isMet: longestMs <= MAX_HOLD_MS,
    note: `${name}: ${megabytes.toFixed(1)} MB in ${Math.round(performance.now() - begin)} ms, beside ${count} probes`,
  });
}

/** Bytes of chats whose calls are in the database. */
async function chat(hone, requests, client) {
  const countOf = async () => (await client.query('SELECT count(*)::int n FROM calls')).rows[0].n;
  const before = await countOf();
  const [caller] = await Caller.openAll(hone.port, 1);
  for (const request of requests) {
    const { status, tail } = await caller.ask(request);
    if (status !== 200) throw new Error(`status ${status}, ${tail}`);
  }
  caller.leave();
  while ((await countOf()) < before + requests.length) await sleep(POLL_MS);
  return requests.reduce((bytes, { length }) => bytes + length, 0);
}

async function readCalls({ port }, { authorization }) {
  const body = { project_id: PROJECT, limit: 100 };
  return bytesOf(`http://127.0.0.1:${port}/calls/stream_query`, authorization, body);
}

async function makeData({ port }, { key }) {
  const body = { entity: 'bench', project: 'default', name: 'large', kind: 'sft', source: {}, dry_run: true };
  return bytesOf(`http://127.0.0.1:${port}/v1/preview/training-data/from-calls`, `Bearer ${key}`, body);
}

async function bytesOf(url, authorization, body) {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
  return Buffer.byteLength(text);
}
