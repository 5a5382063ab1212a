import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a key gets: an answer, or a refusal with this status. */
export interface KeyVerdict {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
}

const FRAMES = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
];

/** A server with OpenAI's interface that treats its callers by their key. */
export class KeyedServer {
  /** Keys of the requests so far, in order; null: there was none. */
  readonly keys: (string | null)[] = [];
  /** URLs of the requests so far. */
  readonly urls: string[] = [];
  /** Key -> what it gets; a key that is not there gets an answer. */
  readonly verdicts = new Map<string, KeyVerdict>();
  private readonly server: Server;

  /** @param keyHeader lower-case */
  constructor(private readonly keyHeader = 'authorization') {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const key = this.keyOf(request);
        this.keys.push(key);
        this.urls.push(request.url ?? '');
        const { status, headers, message = `no, ${key}` } = this.verdicts.get(key ?? '') ?? { status: 200 };
        const { stream } = JSON.parse(Buffer.concat(chunks).toString()) as { stream?: boolean };
        const isStream = status === 200 && stream === true;
        response.writeHead(status, { 'content-type': isStream ? 'text/event-stream' : 'application/json', ...headers });
        if (status !== 200) response.end(JSON.stringify({ error: { message } }));
        else response.end(isStream ? framesOf() : JSON.stringify(WHOLE));
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  forget(): void {
    this.keys.length = 0;
    this.urls.length = 0;
    this.verdicts.clear();
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private keyOf({ headers }: IncomingMessage): string | null {
    const sent = headers[this.keyHeader];
    return typeof sent === 'string' ? sent.replace(/^Bearer /, '') : null;
  }
}

const WHOLE = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

const framesOf = (): string =>
  [...FRAMES.map((frame) => JSON.stringify(frame)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
