import type { HttpUpstreamSettings } from '../http/http-settings.js';

/** Settings of a vLLM server that loads adapters while it runs. */
export interface VllmUpstreamSettings extends Omit<HttpUpstreamSettings, 'kind'> {
  readonly kind: 'vllm';
  readonly adapters: AdapterSettings;
}

/** How adapters get into a server. */
export interface AdapterSettings {
  /** Models of the server whose adapters it takes. */
  readonly bases: readonly string[];
  /** Adapters that this process keeps loaded at once. */
  readonly maxLoaded: number;
  /** Folder that the gateway and the server share; null: `adapters` in the data folder. */
  readonly folder: string | null;
  /** Folder as the gateway sees it, and as the server sees it. */
  readonly pathMap: readonly (readonly [gateway: string, server: string])[];
  /** Longest wait of a request for its adapter. */
  readonly loadMs: number;
}
