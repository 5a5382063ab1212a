import type { HttpUpstreamSettings } from '../upstreams/http/http-upstream.js';
import type { Capability } from '../upstreams/target.js';
import type { HealthLimits, Limits } from '../routing/limits.js';
import type { Price, Strategy, StreamGuard } from '../routing/route.js';

/** What the upstreams file says; §9 of the design. */
export interface GatewayConfiguration {
  /** The embedded engine is always among them. */
  readonly upstreams: readonly UpstreamConfiguration[];
  /** Null: every upstream model is a route of its own. */
  readonly routes: readonly RouteConfiguration[] | null;
  /** Headers that name a project, the first that is present wins; lower-case. */
  readonly projectHeaders: readonly string[];
  /** Callers' headers that go on to upstreams; lower-case. */
  readonly forwardHeaders: readonly string[];
  readonly limits: RequestLimits;
  readonly journal: JournalConfiguration;
  /** Origins that browsers may call from. */
  readonly corsOrigins: readonly string[];
  /** Traces hold the text of prompts. */
  readonly isTextTraced: boolean;
  /** How long running requests may take once the process is asked to stop. */
  readonly drainMs: number;
}

export interface EmbeddedConfiguration {
  readonly kind: 'embedded';
  readonly name: string;
  readonly isEnabled: boolean;
  readonly maxConcurrency: number;
  readonly limits: Partial<Limits>;
  readonly health: HealthLimits;
}

export interface HttpUpstreamConfiguration extends HttpUpstreamSettings {
  readonly kind: 'openai-compatible';
  readonly isEnabled: boolean;
  readonly maxConcurrency: number;
  readonly models: readonly ModelConfiguration[];
  /** Null: it loads no adapters. */
  readonly lora: LoraConfiguration | null;
  readonly limits: Partial<Limits>;
  readonly health: HealthLimits;
}

export type UpstreamConfiguration = EmbeddedConfiguration | HttpUpstreamConfiguration;

export interface ModelConfiguration {
  readonly name: string;
  /** In tokens; null: unknown. */
  readonly contextLength: number | null;
  /** Null: not told. */
  readonly capabilities: readonly Capability[] | null;
}

export interface LoraConfiguration {
  /** Base models for which it loads adapters. */
  readonly bases: readonly string[];
  readonly maxLoras: number;
  /** Our folder -> the same folder as the upstream sees it. */
  readonly adapterPathMap: Readonly<Record<string, string>>;
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
}

export interface TargetConfiguration {
  readonly upstream: string;
  readonly model: string;
  readonly weight: number;
  readonly priority: number;
  /** For errors that only show when the embedded engine is asked; null: the file does not name it. */
  readonly line: number | null;
}

export interface RequestLimits {
  /** Of an inflated body. */
  readonly maxBodyBytes: number;
  /** How long a body may take to come. */
  readonly bodyTimeoutMs: number;
  /** -1: as many as the vocabulary has. */
  readonly maxLogprobs: number;
  readonly maxN: number;
  /** Of a schema, regex or grammar. The embedded engine takes it from the start, not from a reload. */
  readonly compileMs: number;
  /** Of its patterns together, their repetitions written out. As above, from the start. */
  readonly compileStates: number;
}

export interface JournalConfiguration {
  readonly sync: 'write' | 'fsync';
  /** What happens to requests whose usage cannot be recorded. */
  readonly onFailure: 'refuse' | 'serve';
}
