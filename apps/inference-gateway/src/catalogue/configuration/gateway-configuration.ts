import type { HealthLimits, Limits } from '../../dispatch/policy/limits.js';
import type { CacheSettings } from '../../dispatch/route/answer-cache.js';
import type { Price, Strategy, StreamGuard } from '../../dispatch/route/route.js';
import type { JournalSettings } from '../../shared/gateway-settings.js';
import type { UpstreamSettings } from '../../targets/registry/upstream-registry.js';

/** The upstreams file, read, with defaults filled in. */
export interface GatewayConfiguration {
  /** The embedded engine is always among them. */
  readonly upstreams: readonly UpstreamConfiguration[];
  /** Null: every upstream model is a route of its own. */
  readonly routes: readonly RouteConfiguration[] | null;
  /** Headers that name a project, the first that is present wins; lower-case. */
  readonly projectHeaders: readonly string[];
  /** Callers' headers that go on to upstreams; lower-case. */
  readonly forwardHeaders: readonly string[];
  readonly limits: RequestSettings;
  readonly journal: JournalSettings;
  /** Origins that browsers may call from. */
  readonly corsOrigins: readonly string[];
  /** Traces hold the text of prompts. */
  readonly isTextTraced: boolean;
  /** How long running requests may take once the process is asked to stop. */
  readonly drainMs: number;
}

/** An upstream: its engine, and how the gateway uses it. */
export interface UpstreamConfiguration {
  readonly name: string;
  readonly engine: UpstreamSettings;
  readonly isEnabled: boolean;
  /** Slots of each of its models. */
  readonly maxConcurrency: number;
  readonly limits: Partial<Limits>;
  readonly health: HealthLimits;
}

export interface RouteConfiguration {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly strategy: Strategy;
  readonly streamGuard: StreamGuard;
  readonly limits: Partial<Limits>;
  readonly targets: readonly TargetConfiguration[];
  readonly price: Price | null;
  readonly trustChatTemplate: boolean;
  readonly trainedFallback: boolean;
  /** Null: no answers are kept. */
  readonly cache: CacheSettings | null;
}

export interface TargetConfiguration {
  readonly upstream: string;
  readonly model: string;
  readonly weight: number;
  readonly priority: number;
}

export interface RequestSettings {
  /** Of an inflated body. */
  readonly maxBodyBytes: number;
  /** How long a body may take to come. */
  readonly bodyTimeoutMs: number;
  /** -1: as many as the vocabulary has. */
  readonly maxLogprobs: number;
  readonly maxN: number;
  /** Of a schema, regex or choice. The embedded engine reads it at the start, not at a reload. */
  readonly compileMs: number;
  /** Of its patterns together, repetitions written out. Read at the start, too. */
  readonly compileStates: number;
}
