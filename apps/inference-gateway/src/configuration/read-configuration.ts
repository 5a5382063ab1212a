import { ConfigNode, type ConfigObject } from './config-node.js';
import type {
  GatewayConfiguration,
  JournalConfiguration,
  RequestLimits,
  RouteConfiguration,
  UpstreamConfiguration,
} from './gateway-configuration.js';
import { readRoute } from './read-route.js';
import { EMBEDDED, readUpstream, type ReadVariable } from './read-upstream.js';

const KEYS = [
  'upstreams',
  'routes',
  'project_headers',
  'forward_headers',
  'limits',
  'journal',
  'cors',
  'otel',
  'drain_ms',
];

const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  maxBodyBytes: 33_554_432,
  bodyTimeoutMs: 60_000,
  maxLogprobs: 20,
  maxN: 128,
  compileMs: 250,
  compileStates: 200_000,
};

/** What holds without a file: the embedded engine, alone. */
export const DEFAULT_CONFIGURATION: GatewayConfiguration = {
  upstreams: [EMBEDDED],
  routes: null,
  projectHeaders: ['hone-project', 'openai-project'],
  forwardHeaders: [],
  limits: DEFAULT_REQUEST_LIMITS,
  journal: { sync: 'write', onFailure: 'refuse' },
  corsOrigins: [],
  isTextTraced: false,
  drainMs: 10_000,
};

/**
 * Reads an upstreams file.
 *
 * @param file its name, for errors
 * @param text YAML or JSON
 * @param readVariable for the keys of upstreams
 * @throws ConfigurationError with the line and the reason
 */
export function readConfiguration(file: string, text: string, readVariable: ReadVariable): GatewayConfiguration {
  const defaults = DEFAULT_CONFIGURATION;
  const object = ConfigNode.parse(file, text).object(KEYS);
  const upstreams = object.read('upstreams', defaults.upstreams, (node) => readUpstreams(node, readVariable));
  return {
    upstreams,
    routes: object.read<GatewayConfiguration['routes']>('routes', null, (node) => readRoutes(node, upstreams)),
    projectHeaders: object.read('project_headers', defaults.projectHeaders, readHeaderNames),
    forwardHeaders: object.read('forward_headers', defaults.forwardHeaders, readHeaderNames),
    limits: object.read('limits', defaults.limits, readRequestLimits),
    journal: object.read('journal', defaults.journal, readJournal),
    corsOrigins: object.read('cors', defaults.corsOrigins, readOrigins),
    isTextTraced: object.read('otel', false, (node) => readFlag(node.object(['capture']), 'capture')),
    drainMs: object.read('drain_ms', defaults.drainMs, (node) => node.integer(0)),
  };
}

function readUpstreams(node: ConfigNode, readVariable: ReadVariable): UpstreamConfiguration[] {
  const seen = new Set<string>();
  const upstreams = node.list().map((item) => {
    const upstream = readUpstream(item, readVariable);
    if (seen.has(upstream.name)) item.fail(`has the name of another upstream: ${upstream.name}.`);
    seen.add(upstream.name);
    return upstream;
  });
  const embedded = upstreams.filter(({ kind }) => kind === 'embedded');
  if (embedded.length > 1) node.fail('must hold the embedded engine once at most.');
  if (embedded.length === 1) return upstreams;
  if (seen.has(EMBEDDED.name)) node.fail(`must leave the name ${EMBEDDED.name} to the embedded engine.`);
  return [EMBEDDED, ...upstreams];
}

function readRoutes(node: ConfigNode, upstreams: readonly UpstreamConfiguration[]): RouteConfiguration[] {
  const seen = new Set<string>();
  return node.list().map((item) => {
    const route = readRoute(item, upstreams);
    for (const id of [route.id, ...route.aliases]) {
      if (seen.has(id)) item.fail(`has an id or alias that is there twice: ${id}.`);
      seen.add(id);
    }
    return route;
  });
}

function readHeaderNames(node: ConfigNode): string[] {
  return node.list().map((item) => {
    const name = item.text().toLowerCase();
    return /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ? name : item.fail('must be the name of a header.');
  });
}

function readRequestLimits(node: ConfigNode): RequestLimits {
  const object = node.object([
    ...['max_body_bytes', 'body_timeout_ms', 'max_logprobs', 'max_n', 'compile_ms', 'compile_states'],
  ]);
  const read = (key: string, fallback: number, min: number) => object.read(key, fallback, (item) => item.integer(min));
  return {
    maxBodyBytes: read('max_body_bytes', DEFAULT_REQUEST_LIMITS.maxBodyBytes, 1_024),
    bodyTimeoutMs: read('body_timeout_ms', DEFAULT_REQUEST_LIMITS.bodyTimeoutMs, 1),
    maxLogprobs: read('max_logprobs', DEFAULT_REQUEST_LIMITS.maxLogprobs, -1),
    maxN: read('max_n', DEFAULT_REQUEST_LIMITS.maxN, 1),
    compileMs: read('compile_ms', DEFAULT_REQUEST_LIMITS.compileMs, 1),
    compileStates: read('compile_states', DEFAULT_REQUEST_LIMITS.compileStates, 1),
  };
}

function readJournal(node: ConfigNode): JournalConfiguration {
  const object = node.object(['sync', 'on_failure']);
  return {
    sync: object.read('sync', 'write', (item) => item.oneOf(['write', 'fsync'])),
    onFailure: object.read('on_failure', 'refuse', (item) => item.oneOf(['refuse', 'serve'])),
  };
}

function readOrigins(node: ConfigNode): string[] {
  return node
    .object(['origins'])
    .require('origins')
    .list()
    .map((item) => {
      const text = item.text();
      const isOrigin = URL.canParse(text) && new URL(text).origin === text;
      return isOrigin || text === '*' ? text : item.fail('must be an origin such as https://app.example.');
    });
}

const readFlag = (object: ConfigObject, key: string): boolean => object.read(key, false, (node) => node.boolean());
