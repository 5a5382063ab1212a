import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import { readErrorAnswer } from '../http/error/error-answer.js';
import type { HttpReply, HttpServer } from '../http/http-server.js';
import type { TargetFailure } from '../target-failure.js';
import { AdapterError, notLoaded } from './adapter.errors.js';

const LIST_MS = 10_000;
/** vLLM keeps adapters beyond its slots on the CPU; other servers, and older ones, refuse them. */
const NO_SLOT = /max_(?:cpu_)?loras|no free (?:lora |adapter )?slots?/i;
const ALREADY_LOADED = /already been loaded|already loaded/i;

/** What a server said to the load of an adapter. */
export type LoadResult = 'loaded' | 'no_folder' | 'no_slot';

/** The adapter routes of a vLLM server, https://docs.vllm.ai/en/latest/features/lora.html. */
export class AdapterServer {
  constructor(
    private readonly server: HttpServer,
    private readonly loadMs: number,
  ) {}

  /** Models of the server -> their base; null: a base model. @throws AdapterError */
  async list(): Promise<Map<string, string | null>> {
    const reply = await this.call('GET', 'models', null, LIST_MS);
    const json = reply.status === 200 ? parsePlainJson(reply.body) : undefined;
    if (!isJsonObject(json) || !Array.isArray(json.data)) throw this.refused(reply);
    const cards = json.data.filter(isJsonObject);
    return new Map(cards.map(({ id, parent }) => [String(id), typeof parent === 'string' ? parent : null]));
  }

  /** @param path as the server sees it. @throws AdapterError it was refused, or the server did not answer */
  async load(name: string, path: string): Promise<LoadResult> {
    const reply = await this.call('POST', 'load_lora_adapter', { lora_name: name, lora_path: path }, this.loadMs);
    if (reply.status === 200) return 'loaded';
    const text = reply.body.toString();
    if (reply.status === 400 && ALREADY_LOADED.test(text)) return 'loaded';
    // Where runtime loading is off there is no such route, and no message of the server's own.
    if (reply.status === 404 && isRouteMissing(reply)) {
      throw notLoaded('The server does not load adapters: VLLM_ALLOW_RUNTIME_LORA_UPDATING is not set there.');
    }
    if (reply.status === 404) return 'no_folder';
    if (NO_SLOT.test(text)) return 'no_slot';
    throw this.refused(reply);
  }

  /** It is gone afterwards, also if it was not there. @throws AdapterError */
  async unload(name: string): Promise<void> {
    const reply = await this.call('POST', 'unload_lora_adapter', { lora_name: name }, LIST_MS);
    if (reply.status !== 200 && reply.status !== 404) throw this.refused(reply);
  }

  /** The adapter is listed for its base and answers under its name. @throws AdapterError */
  async probe(name: string, base: string): Promise<void> {
    const parent = (await this.list()).get(name);
    if (parent === undefined) throw notLoaded('The server does not list the adapter that it has loaded.');
    if (parent !== base) throw notLoaded('The server has loaded the adapter for another base model.');
    const body = { model: name, prompt: 'a', max_tokens: 1, temperature: 0 };
    const reply = await this.call('POST', 'completions', body, this.loadMs);
    const json = reply.status === 200 ? parsePlainJson(reply.body) : undefined;
    if (!isJsonObject(json)) throw this.refused(reply);
    const hasAnswer = Array.isArray(json.choices) && json.choices.length === 1;
    if (json.model !== name || !hasAnswer) throw notLoaded('The server does not answer under the adapter’s name.');
  }

  private async call(method: 'GET' | 'POST', path: string, body: object | null, timeoutMs: number): Promise<HttpReply> {
    const reply = await this.server.call({ method, path, body, timeoutMs });
    if (!('failure' in reply)) return reply;
    throw new AdapterError(reply.failure, false);
  }

  private refused({ status, body }: HttpReply): AdapterError {
    const { message, reason } = readErrorAnswer({ status, headers: {}, body }, this.server.secrets);
    const failure: TargetFailure = { reason: 'not_loaded', message, upstreamStatus: status };
    if (reason === 'unauthorized') return new AdapterError({ ...failure, reason }, false);
    const isBusy = reason === 'overloaded' || reason === 'rate_limited';
    return isBusy ? new AdapterError({ ...failure, reason: 'overloaded' }, false) : new AdapterError(failure, true);
  }
}

/** FastAPI's own 404. */
function isRouteMissing({ body }: HttpReply): boolean {
  const json = parsePlainJson(body);
  return isJsonObject(json) && json.detail === 'Not Found';
}
