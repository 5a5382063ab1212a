import { join, resolve } from 'node:path';

import { Logger } from '@nestjs/common';

import type { Clock } from '../../shared/time/clock.js';
import type { EmbeddedModels } from '../embedded/embedded-models.js';
import { type EmbeddedSettings, EmbeddedUpstream } from '../embedded/embedded-upstream.js';
import type { HttpUpstreamSettings } from '../http/http-settings.js';
import { HttpUpstream } from '../http/http-upstream.js';
import type { Upstream } from '../upstream.js';
import { AdapterError } from '../vllm/adapter.errors.js';
import { AdapterFolder } from '../vllm/adapter-folder.js';
import type { AdapterEvent, AdapterPool } from '../vllm/adapter-pool.js';
import type { VllmUpstreamSettings } from '../vllm/adapter-settings.js';
import { VllmUpstream } from '../vllm/vllm-upstream.js';

/** Kind and settings of an upstream. A new kind is added here and gets its own folder. */
export type UpstreamSettings = EmbeddedSettings | HttpUpstreamSettings | VllmUpstreamSettings;

/** Learns what happens to the adapters of each server. */
export interface AdapterObserver {
  /** @param pool replaces an earlier one of the upstream */
  opened(upstream: string, pool: AdapterPool): void;
  happened(upstream: string, event: AdapterEvent): void;
}

export interface UpstreamRegistryOptions {
  readonly engine: EmbeddedModels;
  /** Folder of this installation's files. */
  readonly dataDir: string;
  readonly observer: AdapterObserver;
  readonly clock: Clock;
}

/** Opens upstreams by their kind. */
export class UpstreamRegistry {
  private readonly logger = new Logger('Adapters');
  private readonly embedded = new Map<string, EmbeddedUpstream>();
  /** By their paths: servers that share a folder share its copies. */
  private readonly folders = new Map<string, AdapterFolder>();

  private constructor(private readonly options: UpstreamRegistryOptions) {}

  static async create(options: UpstreamRegistryOptions): Promise<UpstreamRegistry> {
    await options.engine.folders.look();
    return new UpstreamRegistry(options);
  }

  open(settings: UpstreamSettings): Upstream {
    switch (settings.kind) {
      case 'embedded':
        return this.openEmbedded(settings.name);
      case 'openai-compatible':
        return new HttpUpstream(settings, this.options.clock);
      case 'vllm':
        return this.openVllm(settings);
    }
  }

  /** Loads the first model of the embedded engine: the bundled one. @throws TargetUnavailableError */
  async warm(): Promise<void> {
    const [first] = this.options.engine.folders.ids;
    if (first !== undefined) await this.openEmbedded('local').target(first)?.open?.();
  }

  /** Calls when the embedded engine can load other models than before: a folder came, went or was repaired. */
  watch(onChange: () => void): void {
    this.options.engine.folders.start(onChange);
  }

  /** Looks for such changes now. */
  lookForModels(): Promise<void> {
    return this.options.engine.folders.lookNow();
  }

  /** Why the embedded engine cannot load a model that is in its folder; null: it can, or there is none. */
  reasonAgainst(model: string): string | null {
    return this.options.engine.reasonAgainst(model);
  }

  private openVllm(settings: VllmUpstreamSettings): VllmUpstream {
    const { observer, clock } = this.options;
    const onEvent = (event: AdapterEvent, error?: unknown) => {
      observer.happened(settings.name, event);
      if (event === 'failed') this.logger.warn(`${settings.name} did not load an adapter: ${reasonOf(error)}`);
    };
    const upstream = new VllmUpstream(settings, this.folder(settings.adapters.folder), clock, onEvent);
    observer.opened(settings.name, upstream.adapters);
    return upstream;
  }

  private folder(configured: string | null): AdapterFolder {
    const path = resolve(configured ?? join(this.options.dataDir, 'adapters'));
    const folder = this.folders.get(path) ?? new AdapterFolder(path);
    this.folders.set(path, folder);
    return folder;
  }

  /** Returns the same object for a name, so that models stay loaded when the configuration changes. */
  private openEmbedded(name: string): EmbeddedUpstream {
    const known = this.embedded.get(name);
    if (known !== undefined) return known;
    const upstream = new EmbeddedUpstream(name, this.options.engine);
    this.embedded.set(name, upstream);
    return upstream;
  }
}

/** The sentence of our own errors; of others only what they are, as their messages hold paths. */
function reasonOf(error: unknown): string {
  if (error instanceof AdapterError) return error.message;
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
}
