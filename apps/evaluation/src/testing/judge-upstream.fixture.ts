import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
  readonly response_format?: { readonly json_schema: { readonly schema: { readonly properties: Properties } } };
}
type Properties = Readonly<Record<string, { readonly type: string; readonly enum?: readonly number[] }>>;

/** A tenth of all first answers do not have the form that was asked for. */
const NONSENSE_SHARE = 0.1;
const MAX_DELAY_MS = 40;

/** A server of models that judge, as an upstream of the gateway: its verdicts, tokens and faults follow from what it reads. */
export class JudgeUpstream {
  private readonly server: Server = createServer((request, response) => {
    void bodyOf(request).then(async (asked) => {
      const drawn = drawOf(asked);
      await sleep(drawn * MAX_DELAY_MS);
      const isFirst = asked.messages.length <= 2;
      const content = isFirst && drawn < NONSENSE_SHARE ? 'Well done!' : verdictOf(asked, drawn);
      const usage = { prompt_tokens: 20 + Math.floor(drawn * 100), completion_tokens: 10 };
      const body = {
        ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: asked.model },
        choices: [{ index: 0, message: { role: 'assistant', content }, logprobs: null, finish_reason: 'stop' }],
        usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

async function bodyOf(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Asked;
}

/** From 0 to 1, by what was asked. */
const drawOf = ({ model, messages }: Asked): number =>
  createHash('sha256')
    .update(JSON.stringify([model, messages]))
    .digest()
    .readUInt32BE() /
  2 ** 32;

function verdictOf({ response_format: format }: Asked, drawn: number): string {
  const members = Object.entries(format?.json_schema.schema.properties ?? {}).map(([name, { type, enum: steps }]) => [
    name,
    type === 'integer' ? steps?.[Math.floor(drawn * steps.length)] : type === 'boolean' ? drawn > 0.5 : 'because',
  ]);
  return JSON.stringify(Object.fromEntries(members));
}
