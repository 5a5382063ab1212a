import type { Tracer, TracerProvider } from '@opentelemetry/api';

const NAME = '@hone/inference-gateway';
/** Where every 1.x version of the OpenTelemetry API keeps what an SDK registers. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

interface Registry {
  readonly trace?: TracerProvider;
}

/**
 * The tracer of the SDK that the operator loaded, for example with `NODE_OPTIONS=--import`; null: there is none.
 *
 * `trace.getTracer` of our own API package would not see an SDK that brings an older minor version of it, and every
 * SDK brings its own.
 */
export function activeTracer(): Tracer | null {
  const registry = (globalThis as { [REGISTRY]?: Registry })[REGISTRY];
  return registry?.trace?.getTracer(NAME) ?? null;
}
