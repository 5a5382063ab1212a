import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import type { TinkerSettings } from '../configuration/engine-settings.js';
import { EngineFailedError, EngineUnreachableError } from '../tinker.errors.js';
import { metricsOf, textOf, toObject } from './answers.js';
import { type EngineObserver, NO_OBSERVER } from './engine-observer.js';
import {
  decodeOutput,
  encodeRequest,
  type ForwardBackwardOutput,
  type ForwardBackwardRequest,
  WireFormatError,
} from './forward-backward.js';
import { StepClock } from './step-clock.js';
import { DEFAULT_WIRE_TIMES, NotYetError, TinkerHttp, type WireTimes } from './tinker-http.js';

/** Parameters of one optimiser step. */
export interface AdamParameters {
  readonly learning_rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly eps: number;
  readonly weight_decay: number;
}

/** A model at a server, and the outcome of the request that creates it. */
export interface CreatedModel {
  readonly modelId: string;
  readonly requestId: string;
}

const SDK_VERSION = '0.25.0';
/** An answer to a pass has a few numbers for each position, and names. */
const BYTES_PER_POSITION = 64;
const BYTES_PER_ANSWER = 1_048_576;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 3;

/**
 * The calls of the Tinker protocol that training needs. Every method throws EngineUnreachableError,
 * EngineCapacityError, EngineLostError or EngineFailedError, or the reason of its signal.
 */
export class TinkerClient {
  private readonly http: TinkerHttp;

  constructor(
    readonly settings: TinkerSettings,
    readonly times: WireTimes = DEFAULT_WIRE_TIMES,
    readonly observer: EngineObserver = NO_OBSERVER,
  ) {
    this.http = new TinkerHttp(settings, times, observer);
  }

  /** Names of the base models that the server has. It may answer before it has loaded them. */
  async findBaseModels(signal: AbortSignal): Promise<string[]> {
    const answer = await this.object({ method: 'GET', path: 'get_server_capabilities' }, signal);
    const { supported_models: models } = answer;
    if (!Array.isArray(models)) throw this.failed('it names no models');
    return models.flatMap((model: { model_name?: unknown } | null) =>
      typeof model?.model_name === 'string' ? [model.model_name] : [],
    );
  }

  /** @param tags shown by the server's own tools */
  async createSession(tags: readonly string[], signal: AbortSignal): Promise<string> {
    return this.text({ path: 'create_session', json: { tags, sdk_version: SDK_VERSION } }, 'session_id', signal);
  }

  async beat(sessionId: string, signal: AbortSignal): Promise<void> {
    await this.http.send({ path: 'session_heartbeat', json: { session_id: sessionId } }, signal);
  }

  /** Asks for a model; its request ends when the model is there. Not repeated: a second model would stay behind. */
  async createModel(
    order: { readonly sessionId: string; readonly baseModel: string; readonly rank: number; readonly seed: number },
    signal: AbortSignal,
  ): Promise<CreatedModel> {
    const { lora } = this.settings;
    const json = {
      session_id: order.sessionId,
      model_seq_id: 1,
      base_model: order.baseModel,
      lora_config: {
        rank: order.rank,
        seed: order.seed,
        train_attn: lora.trainAttention,
        train_mlp: lora.trainMlp,
        train_unembed: lora.trainUnembed,
      },
    };
    const answer = await this.object({ path: 'create_model', json, mayRepeat: false }, signal);
    return this.guarded(() => ({ modelId: textOf(answer, 'model_id'), requestId: textOf(answer, 'request_id') }));
  }

  async forwardBackward(
    order: ForwardBackwardRequest,
    signal: AbortSignal,
    clock = new StepClock(),
  ): Promise<ForwardBackwardOutput> {
    const lengths = order.data.map(({ tokens }) => tokens.length);
    const positions = lengths.reduce((sum, length) => sum + length, 0);
    const request = { path: 'forward_backward', protobuf: clock.coding(() => encodeRequest(order)) };
    const bytes = await clock.waiting(async () => {
      const requestId = await this.text(request, 'request_id', signal);
      return this.result(requestId, signal, BYTES_PER_ANSWER + BYTES_PER_POSITION * positions);
    });
    return this.guarded(() => clock.coding(() => decodeOutput(bytes, lengths)));
  }

  /** Metrics of the step, by the server's names. */
  async optimStep(
    modelId: string,
    seqId: number,
    parameters: AdamParameters,
    signal: AbortSignal,
    clock = new StepClock(),
  ): Promise<Record<string, number>> {
    const json = { model_id: modelId, seq_id: seqId, adam_params: parameters };
    const bytes = await clock.waiting(async () =>
      this.result(await this.text({ path: 'optim_step', json }, 'request_id', signal), signal),
    );
    return this.guarded(() => metricsOf(toObject(bytes)));
  }

  /** Keeps weights and optimiser state under `name`, which is new. @returns where `loadWeights` finds them */
  async saveWeights(modelId: string, name: string, signal: AbortSignal): Promise<string> {
    await this.done({ path: 'save_weights', json: { model_id: modelId, path: name }, mayRepeat: false }, signal);
    return `tinker://${modelId}/weights/${name}`;
  }

  /** Loads weights into a model that has had no other request. */
  async loadWeights(modelId: string, path: string, withOptimiser: boolean, signal: AbortSignal): Promise<void> {
    const json = { model_id: modelId, path, optimizer: withOptimiser, seq_id: 1 };
    await this.done({ path: 'load_weights', json, mayRepeat: false }, signal);
  }

  /** Keeps the adapter alone under `name`, for {@link download}. */
  async saveAdapter(modelId: string, name: string, seqId: number, signal: AbortSignal): Promise<void> {
    const json = { model_id: modelId, path: name, seq_id: seqId };
    await this.done({ path: 'save_weights_for_sampler', json, mayRepeat: false }, signal);
  }

  /** Writes the archive of a kept adapter to a new file. @throws EngineFailedError it has more than `maxBytes` */
  async download(modelId: string, name: string, path: string, maxBytes: number, signal: AbortSignal): Promise<void> {
    const start = new URL(`${this.settings.url}/training_runs/${modelId}/checkpoints/${name}/archive`);
    try {
      await this.follow(start, path, maxBytes, signal, 0);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WireFormatError) throw this.failed(error.message);
      if (error instanceof EngineFailedError || error instanceof EngineUnreachableError) throw error;
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall === 'write' || syscall === 'open') throw error;
      throw new EngineUnreachableError(this.settings.name, code ?? 'the connection broke');
    }
  }

  /** Frees the model's slot. */
  async unload(modelId: string, signal: AbortSignal): Promise<void> {
    await this.done({ path: 'unload_model', json: { model_id: modelId } }, signal);
  }

  /** @param kind `weights` of saveWeights, `sampler_weights` of saveAdapter */
  async deleteSaved(
    modelId: string,
    kind: 'weights' | 'sampler_weights',
    name: string,
    signal: AbortSignal,
  ): Promise<void> {
    await this.http.send({ method: 'DELETE', path: `training_runs/${modelId}/checkpoints/${kind}/${name}` }, signal);
  }

  /** Waits until a request has ended well. */
  async wait(requestId: string, signal: AbortSignal): Promise<void> {
    await this.result(requestId, signal);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async done(order: Parameters<TinkerHttp['send']>[0], signal: AbortSignal): Promise<void> {
    await this.result(await this.text(order, 'request_id', signal), signal);
  }

  /** The result of a request, however long it takes; the job's own deadlines end the wait. */
  private async result(requestId: string, signal: AbortSignal, maxBytes = BYTES_PER_ANSWER): Promise<Buffer> {
    const { pollMs } = this.times;
    const order = { path: 'retrieve_future', json: { request_id: requestId }, maxBytes, pollMs };
    for (;;) {
      try {
        return await this.http.send(order, signal);
      } catch (error) {
        if (!(error instanceof NotYetError)) throw error;
      }
    }
  }

  private async follow(url: URL, path: string, maxBytes: number, signal: AbortSignal, hops: number): Promise<void> {
    const { statusCode, headers, body } = await this.http.open(url, signal);
    const { location } = headers;
    if (REDIRECTS.includes(statusCode) && typeof location === 'string' && URL.canParse(location, url.href)) {
      await body.dump();
      if (hops === MAX_REDIRECTS) throw this.failed(`more than ${MAX_REDIRECTS} redirects lead to the archive`);
      return this.follow(new URL(location, url), path, maxBytes, signal, hops + 1);
    }
    if (statusCode >= 500 || statusCode === 429) {
      await body.dump();
      throw new EngineUnreachableError(this.settings.name, `it answers ${statusCode}`);
    }
    if (statusCode !== 200) {
      await body.dump();
      throw this.failed(`it answers ${statusCode} where the archive should be`);
    }
    let bytes = 0;
    const limited = async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of content) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new WireFormatError(`the archive has more than ${maxBytes} bytes`);
        yield chunk;
      }
    };
    await pipeline(body, limited, createWriteStream(path, { flags: 'wx' }), { signal });
  }

  private async object(order: Parameters<TinkerHttp['send']>[0], signal: AbortSignal) {
    const bytes = await this.http.send(order, signal);
    return this.guarded(() => toObject(bytes));
  }

  private async text(order: Parameters<TinkerHttp['send']>[0], field: string, signal: AbortSignal): Promise<string> {
    const answer = await this.object(order, signal);
    return this.guarded(() => textOf(answer, field));
  }

  private guarded<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof WireFormatError) throw this.failed(error.message);
      throw error;
    }
  }

  private failed(reason: string): EngineFailedError {
    return new EngineFailedError(this.settings.name, `${reason}.`);
  }
}
