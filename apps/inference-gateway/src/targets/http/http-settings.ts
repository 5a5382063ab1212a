import type { Capability } from '@hone/contracts';
import type { HonouredParameters } from './request/parameters.js';
import type { Dialect, UsageHabit } from './request/request-body.js';

/** How to talk with a server that has OpenAI's interface. */
export interface HttpServerSettings {
  /** Name in the configuration. */
  readonly name: string;
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string;
  /** Null: the server asks for none. */
  readonly key: string | null;
  readonly dialect: Dialect;
  readonly parameters: HonouredParameters;
  readonly usage: UsageHabit;
  /** The server sends one content frame per token. */
  readonly hasTokenFrames: boolean;
  /** Most connections at once. */
  readonly connections: number;
  /** Time limit of TCP and TLS. */
  readonly connectMs: number;
}

/** The same, and the models that the configuration lists. */
export interface HttpUpstreamSettings extends HttpServerSettings {
  readonly kind: 'openai-compatible';
  readonly models: readonly HttpModel[];
}

/** A model at an upstream, as the configuration describes it. */
export interface HttpModel {
  /** Its name there. */
  readonly name: string;
  /** In tokens; null: unknown. */
  readonly contextLength: number | null;
  /** Null: unknown. */
  readonly capabilities: ReadonlySet<Capability> | null;
}
