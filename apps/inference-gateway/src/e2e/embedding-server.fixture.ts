import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Embeds a text as its length and the position among the inputs of its request, so that order and parts show. */
export class EmbeddingServer {
  readonly requests: { model: string; input: string[]; encoding_format?: string; dimensions?: number }[] = [];
  /** Answers of the next requests, instead of embeddings. */
  readonly script: { status: number; body: object }[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as (typeof this.requests)[number];
      this.requests.push({ ...asked, ...{ path: request.url } });
      const { status, body } = this.script.shift() ?? { status: 200, body: embedded(asked.input, asked.model) };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
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

const embedded = (input: string | string[], model: string): object => {
  const texts = Array.isArray(input) ? input : [input];
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, index, 0.5] }));
  const tokens = texts.join('').length;
  // Last first: positions count, not the order.
  return { object: 'list', model, data: data.reverse(), usage: { prompt_tokens: tokens, total_tokens: tokens } };
};
