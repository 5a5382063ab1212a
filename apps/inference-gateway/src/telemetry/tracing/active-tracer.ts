import type { Tracer, TracerProvider } from '@opentelemetry/api';

const NAME = '@hone/inference-gateway';
/** Global symbol under which every 1.x version of the OpenTelemetry API stores the registered SDK. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

interface Registry {
  readonly trace?: TracerProvider;
}

/**
 * Returns the tracer of the SDK that the operator loaded, for example with `NODE_OPTIONS=--import`; null: none.
 *
 * `trace.getTracer` of our own API package would not see an SDK that brings an older minor version of it, and every
 * SDK brings its own.
 */
export function activeTracer(): Tracer | null {
  const registry = (globalThis as { [REGISTRY]?: Registry })[REGISTRY];
  return registry?.trace?.getTracer(NAME) ?? null;
}
