import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { TinkerSettings } from '../configuration/engine-settings.js';
import { FLOAT32, outputMessage, requestMessage } from '../wire/tinker-schema.js';

/** A request as the server got it. */
export interface SeenRequest {
  readonly method: string;
  /** Below `/api/v1/`. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Answers one request in place of the server; false: the server answers it after all. */
export type Trick = (request: SeenRequest, response: ServerResponse) => boolean | void;

/** Speaks the wire of a training server and computes nothing: for faults that no real server shows when it is told. */
export class TinkerServerDouble {
  readonly seen: SeenRequest[] = [];
  /** By path; `*`: every path. */
  readonly tricks = new Map<string, Trick>();
  archive: Buffer = Buffer.from('archive');
  /** Of each position of a pass. */
  logProbability = -1;
  private readonly results = new Map<string, { type: string; body: Buffer }>();
  private count = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TinkerServerDouble> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => double.answer(request, response, Buffer.concat(chunks)));
    });
    const double = new TinkerServerDouble(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Of an engine that is this server. */
  settings(more: Partial<TinkerSettings> = {}): TinkerSettings {
    return {
      kind: 'tinker',
      name: 'double',
      url: `${this.origin}/api/v1`,
      apiKey: null,
      baseModels: new Map([['tiny', { servedAs: 'tiny', path: null }]]),
      reduction: 'sequence_mean',
      gradientClip: 'none',
      lora: { rank: 32, alpha: 32, trainAttention: true, trainMlp: true, trainUnembed: false },
      maxBatch: 4,
      maxContext: null,
      concurrency: 2,
      archiveHosts: [],
      ...more,
    };
  }

  pathsSeen(): string[] {
    return this.seen.map(({ path }) => path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const path = (request.url ?? '').replace(/^\/api\/v1\//, '');
    const seen = { method: request.method ?? '', path, headers: request.headers, body };
    this.seen.push(seen);
    const trick = this.tricks.get(path) ?? this.tricks.get('*');
    if (trick && trick(seen, response) !== false) return;
    this.answerWell(path, body, response);
  }

  answerWell(path: string, body: Buffer, response: ServerResponse): void {
    const json = (value: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    const future = (result: object) => {
      json({
        request_id: this.keep('application/json', Buffer.from(JSON.stringify(result))),
        model_id: `model_${this.count}`,
      });
    };
    if (path === 'get_server_capabilities') return void json({ supported_models: [{ model_name: 'tiny' }] });
    if (path === 'create_session') return void json({ session_id: `session_${++this.count}` });
    if (path === 'retrieve_future') {
      const { request_id: id } = JSON.parse(body.toString()) as { request_id: string };
      const result = this.results.get(id);
      if (!result) return void response.writeHead(404).end('{"detail":"Future not found"}');
      return void response.setHeader('content-type', result.type).end(result.body);
    }
    if (path === 'forward_backward')
      return void json({ request_id: this.keep('application/x-protobuf', scoresOf(body, this.logProbability)) });
    if (path === 'optim_step') return void future({ metrics: { 'skyrl.ai/grad_norm': 0.5 } });
    if (path.endsWith('/archive')) {
      return void response
        .writeHead(302, { location: `${this.origin}/api/v1/${path.replace('/archive', '/download')}` })
        .end();
    }
    if (path.endsWith('/download')) return void response.end(this.archive);
    future({});
  }

  private keep(type: string, body: Buffer): string {
    const id = String(++this.count);
    this.results.set(id, { type, body });
    return id;
  }
}

/** One number for each position. */
function scoresOf(body: Buffer, logProbability: number): Buffer {
  const { data } = requestMessage().toObject(requestMessage().decode(body)) as {
    data: { modelInput: { encodedText: { tokens: Buffer } }[] }[];
  };
  const lengths = data.map(({ modelInput }) => (modelInput[0]?.encodedText.tokens.byteLength ?? 0) / 4);
  let end = 0;
  const offsets = BigInt64Array.from([0, ...lengths.map((length) => (end += 4 * length))], BigInt);
  const logprobs = {
    data: new Uint8Array(new Float32Array(end / 4).fill(logProbability).buffer),
    offsets: new Uint8Array(offsets.buffer),
    dtype: FLOAT32,
  };
  return Buffer.from(
    outputMessage()
      .encode({ lossFnOutputs: [{ fields: { logprobs } }], metrics: {} })
      .finish(),
  );
}
