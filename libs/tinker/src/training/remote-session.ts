import type { TinkerClient } from '../wire/tinker-client.js';
import type { ModelRegistry } from './model-registry.js';
import { RemoteModel } from './remote-model.js';

const UNLOAD_MS = 5_000;

/** Which attempt makes models, and of which base. */
export interface SessionOrder {
  readonly jobId: string;
  readonly attempt: number;
  /** Name of the base model at the server. */
  readonly servedAs: string;
  readonly rank: number;
  /** Seed of new adapters. */
  readonly seed: number;
}

/** The models of one attempt at a server; kept alive with heartbeats, unloaded at its end. */
export class RemoteSession {
  private readonly models = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly client: TinkerClient,
    private readonly registry: ModelRegistry,
    private readonly order: SessionOrder,
    private readonly sessionId: string,
    private readonly signal: AbortSignal,
  ) {
    // A failed heartbeat is ignored: if the session is lost, the next request of a model reports it.
    const beat = () => void client.beat(sessionId, this.signal).catch(() => undefined);
    this.timer = setInterval(beat, client.times.beatMs);
  }

  static async open(
    client: TinkerClient,
    registry: ModelRegistry,
    order: SessionOrder,
    signal: AbortSignal,
  ): Promise<RemoteSession> {
    const tags = ['hone', `job:${order.jobId}`, `attempt:${order.attempt}`];
    return new RemoteSession(client, registry, order, await client.createSession(tags, signal), signal);
  }

  /** A model with a fresh adapter, which changes nothing yet. @throws EngineCapacityError */
  async create(): Promise<RemoteModel> {
    const { jobId, attempt, servedAs, rank, seed } = this.order;
    const { name: engine } = this.client.settings;
    const order = { sessionId: this.sessionId, baseModel: servedAs, rank, seed };
    const { modelId, requestId } = await this.client.createModel(order, this.signal);
    this.models.add(modelId);
    await this.registry.add({ engine, modelId, jobId, attempt });
    await this.client.wait(requestId, this.signal);
    const kept = {
      add: (path: string) => this.registry.addWeights({ engine, path, jobId }),
      remove: (path: string) => this.registry.removeWeights(engine, path),
    };
    return new RemoteModel(this.client, modelId, kept, this.signal);
  }

  /** Unloads a model. A failure leaves it to those who read the registry. */
  async unload(modelId: string): Promise<void> {
    this.models.delete(modelId);
    const { name } = this.client.settings;
    await unloadModel(this.client, modelId)
      .then(() => this.registry.remove(name, modelId))
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([...this.models].map((modelId) => this.unload(modelId)));
  }
}

/** Unloads a model whatever the state of its job. One that the server does not know is as good as unloaded. */
export async function unloadModel(client: TinkerClient, modelId: string): Promise<void> {
  try {
    await client.unload(modelId, AbortSignal.timeout(UNLOAD_MS));
  } catch (error) {
    if ((error as { code?: string }).code !== 'engine.lost') throw error;
  }
}
