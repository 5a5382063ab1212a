import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { AnswerParts, type FakeRequestBody, readRequestBody } from './answer-parts.js';
import type { NativeForm } from './native-form.js';
import { nativeForm, type NativePath } from './native-forms.js';
import { nativeSteps } from './native-steps.js';
import { contentTypeOf, type Refusal, refusalOf, unknownModel } from './refusals.js';
import { numberOf, parseScenario, type Scenario } from './scenario.js';
import { play } from './step.js';
import { streamSteps } from './stream-steps.js';
import { wholeSteps } from './whole-steps.js';

/** One request that reached the fake. */
export interface ReceivedRequest {
  /** Without a slash at its end. */
  readonly path: string;
  readonly model: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** `performance.now()` when it had arrived. */
  readonly atMs: number;
  /** `performance.now()` when its client went away before the end of the answer; null: it did not. */
  abortedAtMs: number | null;
  /** Becomes true when the answer was sent to its end, or the connection is closed. */
  isOver: boolean;
}

export interface FakeUpstreamOptions {
  /** Begins every token, so that an answer shows which server gave it. */
  readonly name?: string;
  readonly host?: string;
  /** 0: any free one. */
  readonly port?: number;
  /** The key it asks for, as a bearer token; without it, none. */
  readonly key?: string;
}

/**
 * A server with the interface of OpenAI's chat completions, OpenAI's responses and Anthropic's messages, whose faults the
 * model name asks for: see scenario.ts.
 */
export class FakeUpstream {
  readonly requests: ReceivedRequest[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));
  private readonly counts = new Map<string, number>();
  private readonly name: string;

  private constructor(private readonly options: FakeUpstreamOptions) {
    this.name = options.name ?? 'w';
    // Answers begin when they begin: nothing waits for a second small packet.
    this.server.on('connection', (socket) => socket.setNoDelay(true));
  }

  static async start(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
    const fake = new FakeUpstream(options);
    const { host = '127.0.0.1', port = 0 } = options;
    await new Promise<void>((resolve, reject) => {
      fake.server.once('error', reject);
      fake.server.listen(port, host, resolve);
    });
    return fake;
  }

  /** Address under which `/chat/completions` is found. */
  get baseUrl(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${address}:${port}/v1`;
  }

  /** How many requests named `model`; without it, how many there were. */
  count(model?: string): number {
    return model === undefined ? this.requests.length : (this.counts.get(model) ?? 0);
  }

  /** The body of the last request, parsed. */
  lastJson(): Record<string, unknown> {
    const last = this.requests.at(-1);
    return JSON.parse(String(last?.body)) as Record<string, unknown>;
  }

  /** Forgets all requests; `times@n` begins anew. */
  forget(): void {
    this.requests.length = 0;
    this.counts.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request).catch(() => null);
    if (body === null) return;
    // Azure has each model at an address of its own.
    const path = request.url
      ?.replace(/\?.*$/, '')
      .replace(/\/$/, '')
      .replace(/\/deployments\/[^/]+/, '');
    if (request.method === 'GET' && path === '/v1/models') return send(response, modelList());
    if (request.method !== 'POST' || !PATHS.has(path ?? '')) return send(response, notFound());
    if (this.options.key && !isKey(request.headers, this.options.key)) {
      return send(response, refusalOf(asStatus(401), NO_REQUEST) as Refusal);
    }
    const asked = parseBody(body);
    if (asked === null) return send(response, refusalOf(asStatus(400), NO_REQUEST) as Refusal);
    this.receive(asked.model, request, body, response);
    if (path === '/v1/messages/count_tokens') return send(response, json({ input_tokens: COUNTED_TOKENS }));
    await this.complete(asked, response, path === CHAT_PATH ? null : (path as NativePath));
  }

  private receive(model: string, { headers, url = '' }: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const atMs = performance.now();
    const path = url.replace(/\/$/, '');
    const received: ReceivedRequest = { path, model, headers, body, atMs, abortedAtMs: null, isOver: false };
    this.requests.push(received);
    this.counts.set(model, this.count(model) + 1);
    response.once('close', () => {
      received.isOver = true;
      if (!response.writableFinished) received.abortedAtMs = performance.now();
    });
  }

  /** @param path of the form that the answer has; null: that of chat completions */
  private async complete(asked: FakeRequestBody, response: ServerResponse, path: NativePath | null): Promise<void> {
    const named = parseScenario(asked.model);
    if (named === null) return send(response, unknownModel(asked.model));
    const isPast = this.count(asked.model) > numberOf(named, 'times', Infinity);
    const scenario: Scenario = isPast ? { ...named, behaviour: 'ok', at: 0 } : named;
    const headersMs = numberOf(scenario, 'headers', 0);
    if (headersMs > 0) await sleep(headersMs);
    if (scenario.behaviour === 'silent') return;
    if (scenario.behaviour === 'reset') return void response.socket?.resetAndDestroy();
    if (scenario.modifiers.has('continue')) response.writeContinue();
    const refusal = refusalOf(scenario, asked);
    if (refusal !== null) return send(response, refusal);
    const honoured = scenario.modifiers.has('one-choice') ? { ...asked, n: 1 } : asked;
    const parts = new AnswerParts(scenario, honoured, this.name, `chatcmpl-fake-${this.count()}`);
    await this.playAnswer(parts, response, path === null ? null : nativeForm(path, parts));
  }

  private playAnswer(parts: AnswerParts, response: ServerResponse, form: NativeForm | null): Promise<void> {
    const { behaviour, modifiers } = parts.scenario;
    const isStream = parts.request.stream !== (behaviour === 'other-form');
    // Whole answers of real servers carry their length, which is how a cut shows.
    const streamed = () => (form === null ? streamSteps(parts) : nativeSteps(parts, form));
    const steps = isStream ? streamed() : wholeSteps(parts, form ?? parts);
    const headers: Record<string, string | number> = { 'content-type': contentTypeOf(isStream) };
    const isWhole = steps.every((step) => ('stop' in step ? step.stop === 'end' : !('repeat' in step)));
    if (!isStream && behaviour !== 'clean-end' && isWhole) {
      headers['content-length'] = Buffer.byteLength(steps.map((step) => ('write' in step ? step.write : '')).join(''));
    }
    response.writeHead(200, headers);
    response.flushHeaders();
    return play(response, steps, modifiers.has('tiny'));
  }
}

const CHAT_PATH = '/v1/chat/completions';
const PATHS = new Set([CHAT_PATH, '/v1/responses', '/v1/messages', '/v1/messages/count_tokens']);
const COUNTED_TOKENS = 42;

const isKey = ({ authorization, ...headers }: IncomingHttpHeaders, key: string): boolean =>
  [authorization, headers['x-api-key'], headers['api-key']].some((sent) => sent === key || sent === `Bearer ${key}`);

const NO_REQUEST: FakeRequestBody = {
  model: '',
  stream: false,
  n: 1,
  wantsUsage: false,
  isPrefilled: false,
  lastText: '',
};

const asStatus = (at: number): Scenario => ({ behaviour: 'status', at, modifiers: new Map() });

function send(response: ServerResponse, { status, headers, body }: Refusal): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function modelList(): Refusal {
  const data = [{ id: 'ok', object: 'model', created: 1_763_650_000, owned_by: 'fake' }];
  return json({ object: 'list', data });
}

const json = (value: object): Refusal => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

const notFound = (): Refusal => ({
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: '{"detail":"Not Found"}',
});

function parseBody(body: Buffer): FakeRequestBody | null {
  try {
    return readRequestBody(JSON.parse(body.toString()) as Record<string, unknown>);
  } catch {
    return null;
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
