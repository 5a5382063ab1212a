import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer of the script: text, or a call of a function. */
export type ScriptedAnswer = ({ content: string } | { call: { name: string; arguments: object } }) & {
  /** Where a stream has its usage; absent: in a frame of its own. */
  usage?: 'when finished' | 'when finished again';
};

const MODEL = 'scripted';
const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12, prompt_tokens_details: { cached_tokens: 0 } };
const HEAD = { id: 'chatcmpl-scripted', created: 1_763_650_000, model: MODEL };

/** An upstream with scripted answers, streamed or not as requested. It counts 42 tokens in every prompt. */
export class ScriptedUpstream {
  /** Bodies of the requests so far. */
  readonly requests: Record<string, unknown>[] = [];
  private script: ScriptedAnswer[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<ScriptedUpstream> {
    const upstream = new ScriptedUpstream();
    await new Promise<void>((resolve) => upstream.server.listen(0, '127.0.0.1', resolve));
    return upstream;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Answers to the next requests, one each. */
  say(...answers: ScriptedAnswer[]): void {
    this.script = answers;
    this.requests.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    this.requests.push(asked);
    if (request.url === '/tokenize')
      return void response.end(JSON.stringify({ count: 42, tokens: [], max_model_len: 99 }));
    const said = this.script.shift();
    if (said === undefined) return void response.writeHead(400).end('{"error":{"message":"The script is over."}}');
    const isStream = asked.stream === true;
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
    response.end(isStream ? streamOf(said) : JSON.stringify(wholeOf(said)));
  }
}

const reasonOf = (said: ScriptedAnswer): string => ('call' in said ? 'tool_calls' : 'stop');

function messageOf(said: ScriptedAnswer): object {
  if ('content' in said) return { content: said.content };
  const { name, arguments: sent } = said.call;
  const called = { name, arguments: JSON.stringify(sent) };
  return { content: null, tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: called }] };
}

const wholeOf = (said: ScriptedAnswer): object => ({
  ...HEAD,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...messageOf(said) }, finish_reason: reasonOf(said) }],
  usage: USAGE,
});

function streamOf(said: ScriptedAnswer): string {
  const deltas = [{ role: 'assistant', content: '' }, messageOf(said)];
  const frames: object[] = deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }));
  const end = { choices: [{ index: 0, delta: {}, finish_reason: reasonOf(said) }] };
  if (said.usage !== 'when finished') frames.push(end);
  frames.push(said.usage === undefined ? { choices: [], usage: USAGE } : { ...end, usage: USAGE });
  const all = frames.map((frame) => ({ ...HEAD, object: 'chat.completion.chunk', ...frame }));
  return [...all.map((frame) => JSON.stringify(frame)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}
