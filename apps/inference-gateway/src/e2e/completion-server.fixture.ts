import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that speaks completions: it continues each prompt with its own letters, turned around. */
export class CompletionServer {
  readonly requests: Record<string, unknown>[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as { prompt: string | string[]; stream?: boolean };
      this.requests.push({ path: request.url, ...asked });
      const texts = [asked.prompt].flat().map((prompt) => [...prompt].reverse().join(''));
      const head = { id: 'x', object: 'text_completion', created: 1, model: 'reverser' };
      const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
      response.setHeader('content-type', asked.stream ? 'text/event-stream' : 'application/json');
      const choice = (index: number, text: string, finish_reason: string | null) => ({
        index,
        text,
        logprobs: null,
        finish_reason,
      });
      if (!asked.stream) {
        const choices = texts.map((text, index) => choice(index, text, 'stop'));
        return void response.end(JSON.stringify({ ...head, choices, usage }));
      }
      const frames: object[] = [...(texts[0] ?? '')].map((letter) => ({ ...head, choices: [choice(0, letter, null)] }));
      frames.push({ ...head, choices: [choice(0, '', 'stop')] }, { ...head, choices: [], usage });
      response.end(
        [...frames.map((frame) => JSON.stringify(frame)), '[DONE]'].map((data) => `data: ${data}\n\n`).join(''),
      );
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
