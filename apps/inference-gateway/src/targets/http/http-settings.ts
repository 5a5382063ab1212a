import type { Capability } from '@hone/contracts';

import type { Endpoint } from '../../shared/endpoint.js';
import type { KeyPauses, UpstreamKey } from './keys/key-pool.js';
import type { Dialect } from './request/dialect.js';
import type { HonouredParameters } from './request/parameters.js';
import type { UsageHabit } from './request/request-body.js';

/** Where a key is sent: `Authorization: Bearer …`, or a header of this name. */
export type KeyHeader = 'bearer' | 'api-key' | 'x-api-key';

export const DEFAULT_KEY_PAUSES: KeyPauses = { outMs: 60_000, coolingMs: 1_000 };

/** Settings of a server with an OpenAI-compatible API. */
export interface HttpServerSettings {
  /** Name in the configuration. */
  readonly name: string;
  /** URL without `/chat/completions`. */
  readonly baseUrl: string;
  /** API key; null: none is sent. */
  readonly key: string | null;
  /** Keys that are used in turn, in place of `key`. Absent: there are none. */
  readonly keys?: readonly UpstreamKey[];
  /** How long keys are set aside. Absent: as {@link DEFAULT_KEY_PAUSES}. */
  readonly keyPauses?: KeyPauses;
  /** Header that carries the key. Absent: that of the dialect. */
  readonly keyHeader?: KeyHeader;
  /** Parameters of every URL, name -> value. Absent: none. */
  readonly query?: Readonly<Record<string, string>>;
  readonly dialect: Dialect;
  /** Version of Azure's interface, in which models are deployments with addresses of their own; absent or null: none. */
  readonly apiVersion?: string | null;
  readonly parameters: HonouredParameters;
  readonly usage: UsageHabit;
  /** The server sends one content frame per token. */
  readonly hasTokenFrames: boolean;
  /** Size of the connection pool. */
  readonly connections: number;
  /** Time limit of the TCP and TLS handshakes. */
  readonly connectMs: number;
}

/** Settings of a configured server, with its models. */
export interface HttpUpstreamSettings extends HttpServerSettings {
  readonly kind: 'openai-compatible';
  readonly models: readonly HttpModel[];
}

/** A model at an upstream, as the configuration describes it. */
export interface HttpModel {
  /** Name at the upstream. */
  readonly name: string;
  /** What it answers. Absent: chats alone. */
  readonly endpoints?: ReadonlySet<Endpoint>;
  /** Most texts that it embeds in one request. Absent: {@link DEFAULT_MAX_BATCH}. */
  readonly maxBatch?: number;
  /** Most choices of one answer. Absent: any number. */
  readonly maxChoices?: 1;
  /** Tokens; null: unknown. */
  readonly contextLength: number | null;
  /** Null: unknown. */
  readonly capabilities: ReadonlySet<Capability> | null;
  /** Its configuration says that it reads images, which is more than a server of a kind that could. Absent: false. */
  readonly readsImages?: boolean;
}

/** Inputs whose embeddings one body holds without stalling the event loop that reads it. */
export const DEFAULT_MAX_BATCH = 128;
