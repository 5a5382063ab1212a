import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A picture of one red pixel, larger than what a call keeps in its JSON: it is followed by bytes that no reader looks at. */
export const PNG = Buffer.concat([
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC', 'base64'),
  Buffer.alloc(2_000, 'x'),
]);

/** A tenth of a second of silence: 16 bits, 8 kHz, one channel. */
export const WAV = wavOf(Buffer.alloc(1_600));

function wavOf(samples: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** A request as the server read it. */
export interface MediaRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Of JSON, or the texts of a form. */
  readonly fields: Record<string, unknown>;
  /** Of a form. */
  readonly files: Record<string, { readonly name: string; readonly type: string; readonly bytes: Buffer }>;
}

type Answer = (response: ServerResponse, request: MediaRequest) => void;

/** Answers JSON. */
export const json =
  (body: object, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Answers bytes of a type. */
export const bytesOf =
  (type: string, body: string | Buffer, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, type === '' ? {} : { 'content-type': type }).end(body);

/** A server of images, speech and transcripts, which reads forms with the parser of Node. */
export class MediaServer {
  readonly requests: MediaRequest[] = [];
  /** Answers of the next requests, instead of the usual ones. */
  readonly script: Answer[] = [];
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  forget(): void {
    this.requests.length = 0;
    this.script.length = 0;
  }

  private async answer(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk as Buffer);
    const request = await read(raw, Buffer.concat(chunks));
    this.requests.push(request);
    const answer = this.script.shift() ?? USUAL[request.path];
    if (answer === undefined) response.writeHead(404).end('{}');
    else answer(response, request);
  }
}

const USAGE = { input_tokens: 11, output_tokens: 22, total_tokens: 33, input_tokens_details: { text_tokens: 11 } };

const images: Answer = (response, request) => {
  const data = Array.from({ length: Number(request.fields['n'] ?? 1) }, () => ({ b64_json: PNG.toString('base64') }));
  json({ created: 1_763_650_000, output_format: 'png', data, usage: USAGE })(response, request);
};

const transcript: Answer = (response, request) => {
  const text = `heard ${request.files['file']?.bytes.length} bytes`;
  const format = request.fields['response_format'] ?? 'json';
  if (format === 'json') return json({ text, usage: { type: 'duration', seconds: 3 } })(response, request);
  if (format === 'verbose_json') return json({ text, duration: 1.5, segments: [] })(response, request);
  bytesOf('text/plain; charset=utf-8', `1\n00:00:00,000 --> 00:00:01,000\n${text}\n`)(response, request);
};

const USUAL: Readonly<Record<string, Answer>> = {
  '/v1/images/generations': images,
  '/v1/images/edits': images,
  '/v1/audio/speech': (response) => {
    response.writeHead(200, { 'content-type': 'audio/wav' });
    response.write(WAV.subarray(0, 100));
    setTimeout(() => response.end(WAV.subarray(100)), 20);
  },
  '/v1/audio/transcriptions': transcript,
  '/v1/audio/translations': transcript,
};

async function read({ url = '', headers }: IncomingMessage, body: Buffer): Promise<MediaRequest> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) {
    return { path: url, headers, fields: JSON.parse(body.toString()) as Record<string, unknown>, files: {} };
  }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const fields: Record<string, unknown> = {};
  const files: MediaRequest['files'] = {};
  for (const [name, value] of form.entries()) {
    if (typeof value === 'string') fields[name] = name.endsWith('[]') ? form.getAll(name) : value;
    else files[name] = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return { path: url, headers, fields, files };
}
