import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { toRequest } from '../harness/http-connection.mjs';
import { giveWay } from '../harness/processes.mjs';
import { Service } from '../harness/service.mjs';
import { World } from '../trace/world.mjs';
import { PLANS } from './answers.mjs';
import { CAN_PIN, pinMeasured, pinOther } from './cores.mjs';
import { MockUpstream } from './mock-upstream.mjs';
import { LITELLM_KEY, startBareProxy, startLiteLlm, startPortkey } from './peers.mjs';

const PATH = '/v1/chat/completions';
const SYSTEM = 'You are a helpful assistant who answers in one short sentence.';
const QUESTION = 'What does the quick brown fox do, and why does it do it again and again?';
/** Door -> its path, and how it says what {@link Side.request} says. */
const DOORS = {
  responses: { path: '/v1/responses', body: { instructions: SYSTEM, input: QUESTION, max_output_tokens: 256 } },
  messages: {
    path: '/v1/messages',
    body: { system: SYSTEM, messages: [{ role: 'user', content: QUESTION }], max_tokens: 256 },
  },
};
/** Name of the side that `--against` adds. */
export const OTHER = 'other checkout';
const UPSTREAMS = 'upstreams.json';
/** An earlier checkout may not know the other doors. */
const CHAT_UPSTREAMS = 'chat-upstreams.json';
/** More than any measure has in flight, so that the gateway's own limits have no effect. */
const MANY = 2_000;

/**
 * The mock upstream in this process, a Postgres with one key, and the measured processes: each side on its own core,
 * everything else on the others.
 */
export class GatewayWorld {
  static #made;

  static of(context) {
    GatewayWorld.#made ??= GatewayWorld.#make(context);
    return GatewayWorld.#made;
  }

  constructor(context, world, mock, dir) {
    this.context = context;
    this.mock = mock;
    this.world = world;
    this.dir = dir;
  }

  static async #make(context) {
    pinOther(process.pid);
    const world = await World.of(context);
    const mock = await MockUpstream.start();
    context.cleanup.add(() => mock.stop());
    const dir = await mkdtemp(join(tmpdir(), 'hone-bench-gateway-'));
    context.cleanup.add(() => rm(dir, { recursive: true, force: true }));
    await writeFile(join(dir, UPSTREAMS), JSON.stringify(configuration(mock.origin, Object.keys(PLANS))));
    const chats = Object.keys(PLANS).filter((name) => PLANS[name].form === undefined);
    await writeFile(join(dir, CHAT_UPSTREAMS), JSON.stringify(configuration(mock.origin, chats)));
    if (!CAN_PIN) context.progress.step('taskset or a second core is missing: all share all cores');
    return new GatewayWorld(context, world, mock, dir);
  }

  /** The gateway as `npm start` has it, but for a log line per request: with keys, metering and its journal. */
  startHone() {
    return this.#startGateway('Hone', UPSTREAMS);
  }

  /** The gateway of the checkout that `--against` names; null: none is named. */
  async startOther() {
    const { against } = this.context.options;
    return against ? this.#startGateway(OTHER, CHAT_UPSTREAMS, pathToFileURL(`${resolve(against)}/`)) : null;
  }

  async #startGateway(name, upstreams, repository) {
    const environment = {
      DATABASE_URL: this.world.url,
      HONE_DATA_DIR: join(this.dir, `data of ${name}`),
      HONE_UPSTREAMS: join(this.dir, upstreams),
    };
    const service = await Service.start(this.context, 'inference-gateway', environment, { repository });
    pinMeasured(service.pid);
    return new Side(name, service, (body, path) => toRequest(path, `Bearer ${this.world.key}`, body));
  }

  async startBare() {
    const process = await startBareProxy(this.context, this.mock.origin);
    pinMeasured(process.pid);
    return new Side('bare proxy', process, (body, path) => toRequest(path, 'Bearer none', body));
  }

  /** Null when it is not installed. */
  async startPortkey() {
    const process = await startPortkey(this.context);
    if (process === null) return null;
    pinMeasured(process.pid);
    const host = `x-portkey-provider: openai\r\nx-portkey-custom-host: ${this.mock.origin}/v1`;
    return new Side('Portkey', process, (body, path) => toRequest(path, `Bearer none\r\n${host}`, body));
  }

  /** Null when it cannot be installed. @param {string[]} models that it has */
  async startLiteLlm(models) {
    const process = await startLiteLlm(this.context, this.mock.origin, models);
    if (process === null) return null;
    pinMeasured(process.pid);
    return new Side('LiteLLM', process, (body, path) => toRequest(path, `Bearer ${LITELLM_KEY}`, body));
  }

  /**
   * Lowers the priority of Postgres below load generator and mock: on two cores the three share one, and the measured
   * process would wait for the other two while Postgres writes.
   */
  putPostgresLast() {
    return giveWay(this.world.postgresPid);
  }

  /** The mock itself, without a proxy. */
  direct() {
    const nothing = async () => undefined;
    const { port } = this.mock;
    return new Side('direct', { pid: undefined, port, stop: nothing }, (body, path) =>
      toRequest(path, 'Bearer none', body),
    );
  }
}

/** One side of a comparison. */
class Side {
  constructor(name, process, toBytes) {
    this.name = name;
    this.process = process;
    this.toBytes = toBytes;
  }

  get port() {
    return this.process.port;
  }

  get pid() {
    return this.process.pid;
  }

  /** @param {object} further members of the request body */
  request(model, more = {}) {
    const messages = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: QUESTION },
    ];
    return this.toBytes({ model, messages, temperature: 0.7, max_tokens: 256, ...more }, PATH);
  }

  /** The request of {@link stream} through another door. @param {keyof DOORS} door */
  streamThrough(door, model) {
    const { path, body } = DOORS[door];
    return this.toBytes({ model, temperature: 0.7, ...body, stream: true }, path);
  }

  stream(model) {
    return this.request(model, { stream: true });
  }

  /** A stream whose connection the mock keeps an eye on, under `id`. */
  watched(id, model, more = { stream: true }) {
    const bytes = this.request(model, more);
    const lineEnd = bytes.indexOf('\r\n') + 2;
    return Buffer.concat([bytes.subarray(0, lineEnd), Buffer.from(`X-Request-Id: ${id}\r\n`), bytes.subarray(lineEnd)]);
  }

  stop() {
    return this.process.stop();
  }
}

/** @param {string[]} plans those that can be asked for */
function configuration(origin, plans) {
  const models = plans.filter((name) => PLANS[name].form === undefined).map((name) => ({ name }));
  const native = plans.filter((name) => PLANS[name].form !== undefined);
  const mock = { kind: 'openai-compatible', base_url: `${origin}/v1`, dialect: 'vllm', token_frames: true };
  const narrow = { ...mock, name: 'narrow', max_concurrency: 1, models: [{ name: 'endless' }] };
  return {
    upstreams: [
      { ...mock, name: 'mock', connections: MANY, max_concurrency: MANY, models },
      ...native.map((name) => ({ ...mock, name, speaks: [PLANS[name].form], models: [{ name }] })),
      narrow,
    ],
    routes: [
      ...models.map(({ name }) => ({ id: name, targets: [{ upstream: 'mock', model: name }] })),
      ...native.map((name) => ({ id: name, targets: [{ upstream: name, model: name }] })),
      { id: 'one-at-a-time', targets: [{ upstream: 'narrow', model: 'endless' }] },
    ],
  };
}
