import type { Clock } from '../../shared/time/clock.js';
import type { Target } from '../target.js';
import type { Upstream } from '../upstream.js';
import { HttpServer } from './http-server.js';
import type { HttpModel, HttpServerSettings } from './http-settings.js';
import { HttpTarget } from './http-target.js';

/** A server with an OpenAI-compatible API, and the targets of its models. */
export class HttpUpstream implements Upstream {
  readonly models: readonly string[];
  protected readonly server: HttpServer;
  private readonly targets: ReadonlyMap<string, Target>;

  constructor(settings: HttpServerSettings & { readonly models: readonly HttpModel[] }, clock: Clock) {
    this.server = new HttpServer(settings, clock);
    this.models = settings.models.map(({ name }) => name);
    this.targets = new Map(settings.models.map((model) => [model.name, new HttpTarget(this.server, model, clock)]));
  }

  target(model: string): Target | null {
    return this.targets.get(model) ?? null;
  }

  readmit(): void {
    this.server.keys.readmit();
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
