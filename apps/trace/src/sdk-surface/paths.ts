/** First parts of the paths that the handlers of the canonical surface answer for SDKs, too. */
const FORWARDED = new Set([
  ...['call', 'calls', 'trace', 'threads', 'obj', 'objs', 'tags', 'aliases', 'refs', 'table', 'file', 'files'],
  ...['feedback', 'cost', 'annotation_queues', 'project', 'v2'],
]);
/** The signals of OpenTelemetry; `/agents` before one means the same, and has no other meaning here. */
const SIGNAL = /^(?:\/agents)?(\/otel\/v1\/(?:traces|logs|metrics))$/;

/** Paths of this surface alone among those. */
const OWN = new Set(['/project/ingest_sampling_settings/read', '/project/sensitive_data_settings']);
/** Paths of the canonical surface among those, which SDKs know nothing of. */
const CANONICAL = new Set(['/calls/charts', '/calls/facets']);

/** Where handlers of this surface alone are routed. */
export const OWN_PATH = '/compat/weave';
/** A path that no route has. */
const NOWHERE = '/compat/none';
const MAYBE = /^\/(?:compat|traces|graphql)/;
const PREFIXES = ['/compat/weave', '/traces'];

/** The path below the surface, for example `/call/start`; undefined: the request is none of this surface's. */
export function pathBelow(url: string): string | undefined {
  if (!MAYBE.test(url)) return undefined; // runs for every request of the canonical surface
  const path = url.split('?', 1)[0] as string;
  if (path === '/graphql' || path === '/graphql/') return '/graphql';
  const prefix = PREFIXES.find((one) => path === one || path.startsWith(`${one}/`));
  if (prefix !== undefined) return path.slice(prefix.length).replace(/\/$/, '');
  return path === '/compat' || path.startsWith('/compat/') ? '' : undefined;
}

/**
 * The path by which a request is routed.
 *
 * @param isOn whether the surface is served at all
 */
export function routedPath(url: string, isOn: boolean): string {
  const path = pathBelow(url);
  if (path === undefined) return url;
  if (!isOn) return NOWHERE;
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const signal = SIGNAL.exec(path)?.[1];
  if (signal !== undefined) return signal + query;
  const isForwarded = FORWARDED.has(path.split('/', 2)[1] ?? '');
  return (isForwarded && !OWN.has(path) && !CANONICAL.has(path) ? path : OWN_PATH + path) + query;
}

/** Signals have a form of their own, which the handler reads as it came. */
export const isSignal = (path: string): boolean => SIGNAL.test(path);
