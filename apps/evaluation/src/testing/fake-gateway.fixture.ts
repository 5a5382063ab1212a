import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a judge was asked. */
export interface AskedJudge {
  readonly requestId: string;
  readonly project: string;
  /** `Hone-Thread`; undefined: there is none. */
  readonly thread: string | undefined;
  readonly metadata: { readonly user: string; readonly 'hone.judged_call': string };
  readonly body: {
    readonly model: string;
    readonly seed: number;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format: { readonly json_schema: { readonly schema: object } };
  };
}

/** How a judge answers; a text is the content of a whole answer. */
export type JudgeReply =
  | string
  | { readonly status: number; readonly code?: string; readonly costUsd?: number }
  | { readonly cut: true }
  | { readonly hang: true };

const COST_USD = 0.001;

/** Where the evaluation service asks models, answering what a spec says: the faults that no real gateway makes when asked to. */
export class FakeGateway {
  readonly asked: AskedJudge[] = [];
  reply: (asked: AskedJudge) => JudgeReply | Promise<JudgeReply> = () => '{}';

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param port 0: any free one */
  static async start(port = 0): Promise<FakeGateway> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const gateway = new FakeGateway(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      void readAsked(request).then(async (asked) => {
        gateway.asked.push(asked);
        const reply = await gateway.reply(asked);
        if (typeof reply !== 'string' && 'hang' in reply) return;
        if (typeof reply !== 'string' && 'cut' in reply) {
          response.writeHead(200, { 'content-length': '1000' }).write('{"choices": [');
          setImmediate(() => response.destroy());
          return;
        }
        if (typeof reply !== 'string') {
          const headers = { 'hone-cost': '0', 'content-type': 'application/json' };
          response
            .writeHead(reply.status, headers)
            .end(JSON.stringify({ error: { code: reply.code, message: 'No.' } }));
          return;
        }
        const choices = [{ index: 0, message: { role: 'assistant', content: reply }, finish_reason: 'stop' }];
        const headers = {
          'hone-cost': String(COST_USD),
          'hone-call': `hone:///${asked.project}/call/${asked.requestId}`,
        };
        const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
        response.writeHead(200, headers).end(JSON.stringify({ choices, usage }));
      });
    });
    return gateway;
  }

  reset(): void {
    this.asked.length = 0;
    this.reply = () => '{}';
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function readAsked(request: IncomingMessage): Promise<AskedJudge> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { headers } = request;
  return {
    requestId: String(headers['x-request-id']),
    project: String(headers['hone-project']),
    thread: headers['hone-thread'] as string | undefined,
    metadata: JSON.parse(String(headers['hone-metadata'])) as AskedJudge['metadata'],
    body: JSON.parse(Buffer.concat(chunks).toString()) as AskedJudge['body'],
  };
}
