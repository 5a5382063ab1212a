import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FakeVllmOptions {
  readonly base?: string;
  /** Adapters that it takes; one more is refused. Default: any number. */
  readonly maxAdapters?: number;
  /** Folder of this machine -> where the server sees it; it sees no other paths. Default: every path as it is. */
  readonly mount?: readonly [here: string, there: string];
}

/** Faults that a spec switches on and off. */
export interface FakeVllmFaults {
  /** How long a load takes. */
  loadMs: number;
  /** A load is refused with this message, as an internal error. */
  refusal: string | null;
  /** There are no routes for adapters: runtime updating is off. */
  isFixed: boolean;
  /** Words of an answer. */
  words: number;
  /** Between two words. */
  wordMs: number;
  /** The connection breaks off after this many words. */
  crashAfter: number;
  /** Adapters are listed for another base. */
  parent: string | null;
  /** Answers come without the adapter's name. */
  isNameless: boolean;
  /** Requests for token ids and log-probabilities have no effect. */
  isTokenless: boolean;
  /** Bytes of spaces before the end of each word. */
  paddingBytes: number;
}

/** A request for a completion that it has begun to answer. */
export interface FakeVllmRequest {
  readonly model: string;
  readonly path: string;
}

const NO_FAULTS: FakeVllmFaults = {
  loadMs: 0,
  refusal: null,
  isFixed: false,
  words: 3,
  wordMs: 0,
  crashAfter: Infinity,
  parent: null,
  isNameless: false,
  isTokenless: false,
  paddingBytes: 0,
};
const [FOUND, REFUSED, MISSING, FAILED] = [200, 400, 404, 500] as const;

/**
 * A server with vLLM's routes for adapters, as vLLM 0.32 answers them. Each word of an answer is the digest of the
 * adapter's weights (8 hexadecimal characters; `base` for the base model), so that it shows what has answered.
 */
export class FakeVllm {
  readonly faults: FakeVllmFaults = { ...NO_FAULTS };
  /** Calls of the adapter routes: `load <name>` and `unload <name>`. */
  readonly calls: string[] = [];
  readonly requests: FakeVllmRequest[] = [];
  /** Most adapters at once. */
  most = 0;
  private readonly adapters = new Map<string, { path: string; digest: string }>();
  private server = this.newServer();
  private port = 0;

  private constructor(private readonly options: FakeVllmOptions) {}

  static async start(options: FakeVllmOptions = {}): Promise<FakeVllm> {
    const fake = new FakeVllm(options);
    await fake.listen();
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** Names of the adapters that it has. */
  get loaded(): string[] {
    return [...this.adapters.keys()];
  }

  /** How often a route of adapters was called. */
  count(call: 'load' | 'unload', name?: string): number {
    return this.calls.filter((made) => (name ? made === `${call} ${name}` : made.startsWith(`${call} `))).length;
  }

  /** The process dies: connections break off, and the adapters are forgotten. */
  async kill(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
    this.adapters.clear();
  }

  /** The process comes back at the same port. */
  async restart(): Promise<void> {
    this.server = this.newServer();
    await this.listen();
  }

  /** A restart that no connection notices. */
  forget(): void {
    this.adapters.clear();
  }

  /** Loads an adapter that nobody asked for through a gateway. */
  plant(name: string): void {
    this.adapters.set(name, { path: '/', digest: 'planted' });
  }

  private newServer() {
    return createServer((request, response) => void this.answer(request, response).catch(() => response.destroy()));
  }

  private async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (this.server.address() as AddressInfo).port;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/^\/v1\//, '');
    if (path === 'models') return this.list(response);
    const body = (await json(request)) as Record<string, unknown>;
    const isAdapters = path === 'load_lora_adapter' || path === 'unload_lora_adapter';
    if (isAdapters && !this.faults.isFixed) return this.change(path, body, response);
    if (path === 'chat/completions' || path === 'completions') return this.complete(path, body, response);
    reply(response, MISSING, { detail: 'Not Found' });
  }

  private list(response: ServerResponse): void {
    const base = this.options.base ?? 'hone-tiny';
    const card = { object: 'model', created: 1_763_650_000, owned_by: 'vllm' };
    const adapters = [...this.adapters].map(([id, { path }]) => ({
      ...{ id, ...card, root: path, parent: this.faults.parent ?? base },
    }));
    reply(response, FOUND, { object: 'list', data: [{ id: base, ...card, root: base, parent: null }, ...adapters] });
  }

  private async change(path: string, body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    const { lora_name: name, lora_path: folder } = body as { lora_name: string; lora_path: string };
    const isLoad = path === 'load_lora_adapter';
    this.calls.push(`${isLoad ? 'load' : 'unload'} ${name}`);
    if (isLoad) return this.load(name, folder, response);
    if (!this.adapters.delete(name)) return fail(response, MISSING, `The lora adapter '${name}' cannot be found.`);
    text(response, `Success: LoRA adapter '${name}' removed successfully.`);
  }

  private async load(name: string, folder: string, response: ServerResponse): Promise<void> {
    const { loadMs, refusal } = this.faults;
    if (this.adapters.has(name)) return fail(response, REFUSED, `The lora adapter '${name}' has already been loaded.`);
    if (loadMs > 0) await sleep(loadMs);
    if (refusal !== null) return fail(response, FAILED, refusal);
    const weights = await this.read(folder);
    if (weights === null) {
      return fail(response, MISSING, `Loading lora ${name} failed: No adapter found for ${folder}`);
    }
    const { maxAdapters = Infinity } = this.options;
    if (this.adapters.size >= maxAdapters) return fail(response, REFUSED, `No slot is left: max_loras=${maxAdapters}.`);
    const digest = createHash('sha256').update(weights).digest('hex').slice(0, 8);
    this.adapters.set(name, { path: folder, digest });
    this.most = Math.max(this.most, this.adapters.size);
    text(response, `Success: LoRA adapter '${name}' added successfully.`);
  }

  /** Null: the server sees no adapter there. */
  private async read(folder: string): Promise<Buffer | null> {
    const [here, there] = this.options.mount ?? ['', ''];
    if (!folder.startsWith(there)) return null;
    const path = here + folder.slice(there.length);
    try {
      await readFile(join(path, 'adapter_config.json'));
      return await readFile(join(path, 'adapter_model.safetensors'));
    } catch {
      return null;
    }
  }

  private async complete(path: string, body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    const model = String(body.model);
    const digest = model === (this.options.base ?? 'hone-tiny') ? 'base' : this.adapters.get(model)?.digest;
    if (digest === undefined) {
      return fail(response, MISSING, `The model \`${model}\` does not exist.`, { param: 'model' });
    }
    this.requests.push({ model, path });
    const { words, crashAfter, isNameless } = this.faults;
    const shown = isNameless ? 'other' : model;
    if (body.stream === true) return this.stream(shown, digest, body, response);
    if (crashAfter < words) return void response.destroy();
    const word = this.wordOf(digest);
    const { ids, logprobs } = this.asksOf(body);
    const tokens = Array.from({ length: words }, (_, at) => at);
    const choice = {
      ...{ index: 0, message: { role: 'assistant', content: word.repeat(words) } },
      logprobs: logprobs ? { content: tokens.map((at) => logprobOf(word, at)) } : null,
      ...{ finish_reason: 'stop', stop_reason: null, token_ids: ids ? tokens.map(idOf) : null },
    };
    const head = { id: 'cmpl-1', object: 'chat.completion', created: 1_763_650_000, model: shown };
    const promptIds = ids ? PROMPT_IDS : null;
    const rest = { usage: usageOf(words), prompt_logprobs: null, prompt_token_ids: promptIds };
    reply(response, FOUND, { ...head, choices: [choice], ...rest });
  }

  private wordOf(digest: string): string {
    return `${digest}${' '.repeat(1 + this.faults.paddingBytes)}`;
  }

  private asksOf({ return_token_ids: ids, logprobs, top_logprobs: top = 0 }: Record<string, unknown>): TokenAsks {
    const { isTokenless } = this.faults;
    return { ids: ids === true && !isTokenless, logprobs: logprobs === true && top !== null && !isTokenless };
  }

  private async stream(
    model: string,
    digest: string,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): Promise<void> {
    const { words, wordMs, crashAfter } = this.faults;
    const head = { id: 'cmpl-1', object: 'chat.completion.chunk', created: 1_763_650_000, model };
    const send = (choices: object[], more: object = {}) =>
      response.write(`data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`);
    const { ids, logprobs } = this.asksOf(body);
    const word = this.wordOf(digest);
    const choice = (delta: object, finish: string | null, more: object) => [
      { index: 0, delta, logprobs: null, finish_reason: finish, ...more },
    ];
    const tokenOf = (at: number) => ({
      logprobs: logprobs ? { content: [logprobOf(word, at)] } : null,
      token_ids: ids ? [idOf(at)] : null,
    });
    response.writeHead(FOUND, { 'content-type': 'text/event-stream; charset=utf-8' });
    send(choice({ role: 'assistant', content: '' }, null, {}), { prompt_token_ids: ids ? PROMPT_IDS : null });
    for (let at = 0; at < words && !response.destroyed; at++) {
      if (at >= crashAfter) return void response.destroy();
      if (wordMs > 0) await sleep(wordMs);
      send(choice({ content: word }, null, tokenOf(at)));
    }
    // A token without text: it has a frame only where its id was asked for.
    if (ids) send(choice({}, null, tokenOf(words)));
    send(choice({}, 'stop', { stop_reason: null, token_ids: ids ? [] : null }));
    const options = body.stream_options as { include_usage?: boolean } | undefined;
    if (options?.include_usage) send([], { usage: usageOf(words) });
    response.end('data: [DONE]\n\n');
  }
}

/** What a request asks for beside text. */
interface TokenAsks {
  readonly ids: boolean;
  readonly logprobs: boolean;
}

const PROMPT_IDS = [1, 2, 3, 4, 5];
const idOf = (at: number): number => 100 + at;
const logprobOf = (token: string, at: number) => ({
  ...{ token, logprob: -0.125 * (at + 1), bytes: [...Buffer.from(token)], top_logprobs: [] },
});

const usageOf = (words: number) => ({ prompt_tokens: 5, completion_tokens: words, total_tokens: 5 + words });

function fail(response: ServerResponse, status: number, message: string, more: object = {}): void {
  const type = status === MISSING ? 'NotFoundError' : 'InvalidUserInput';
  reply(response, status, { error: { message, type, param: null, code: status, ...more } });
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function text(response: ServerResponse, body: string): void {
  response.writeHead(FOUND, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(body);
}
