import type { Clock } from '../../shared/time/clock.js';
import type { EmbeddedModels } from '../embedded/embedded-models.js';
import { type EmbeddedSettings, EmbeddedUpstream } from '../embedded/embedded-upstream.js';
import type { HttpUpstreamSettings } from '../http/http-settings.js';
import { HttpUpstream } from '../http/http-upstream.js';
import type { Upstream } from '../upstream.js';

/** Kind and settings of an upstream. A new kind is added here and gets its own folder. */
export type UpstreamSettings = EmbeddedSettings | HttpUpstreamSettings;

/** Opens upstreams by their kind. */
export class UpstreamRegistry {
  private readonly embedded = new Map<string, EmbeddedUpstream>();

  private constructor(
    private readonly engine: EmbeddedModels,
    private readonly clock: Clock,
  ) {}

  static async create(engine: EmbeddedModels, clock: Clock): Promise<UpstreamRegistry> {
    await engine.folders.look();
    return new UpstreamRegistry(engine, clock);
  }

  open(settings: UpstreamSettings): Upstream {
    switch (settings.kind) {
      case 'embedded':
        return this.openEmbedded(settings.name);
      case 'openai-compatible':
        return new HttpUpstream(settings, this.clock);
    }
  }

  /** Loads the first model of the embedded engine: the bundled one. @throws TargetUnavailableError */
  async warm(): Promise<void> {
    const [first] = this.engine.folders.ids;
    if (first !== undefined) await this.openEmbedded('local').target(first)?.open?.();
  }

  /** Calls when the embedded engine can load other models than before: a folder came, went or was repaired. */
  watch(onChange: () => void): void {
    this.engine.folders.start(onChange);
  }

  /** Returns the same object for a name, so that models stay loaded when the configuration changes. */
  private openEmbedded(name: string): EmbeddedUpstream {
    const known = this.embedded.get(name);
    if (known !== undefined) return known;
    const upstream = new EmbeddedUpstream(name, this.engine);
    this.embedded.set(name, upstream);
    return upstream;
  }
}
