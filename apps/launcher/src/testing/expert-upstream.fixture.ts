import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
}

/** Of each answer. */
export const USAGE = { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 };

/** An upstream with the interface of chat completions that knows the answer to every question, and takes its time. */
export class ExpertUpstream {
  private constructor(private readonly server: Server) {}

  /** @param delayMs before each answer */
  static async start(answerTo: (question: string) => string, delayMs: number): Promise<ExpertUpstream> {
    const server = createServer((request, response) => {
      void textOf(request).then(async (text) => {
        const { model, messages } = JSON.parse(text) as Asked;
        const content = answerTo(messages.at(-1)!.content);
        await sleep(delayMs);
        response.setHeader('content-type', 'application/json').end(JSON.stringify(completionOf(model, content)));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ExpertUpstream(server);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const completionOf = (model: string, content: string) => ({
  ...{ id: 'chatcmpl-expert', object: 'chat.completion', created: 1, model },
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', logprobs: null }],
  usage: USAGE,
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
