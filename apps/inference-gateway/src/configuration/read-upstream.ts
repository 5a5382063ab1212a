import { DEFAULT_HEALTH_LIMITS } from '../routing/limits.js';
import { CAPABILITIES, type Capability } from '../upstreams/target.js';
import type { HonouredParameters } from '../upstreams/http/parameters.js';
import type { Dialect } from '../upstreams/http/request-body.js';
import type { ConfigNode, ConfigObject } from './config-node.js';
import type {
  EmbeddedConfiguration,
  HttpUpstreamConfiguration,
  LoraConfiguration,
  ModelConfiguration,
  UpstreamConfiguration,
} from './gateway-configuration.js';
import { HEALTH_KEYS, LIMIT_KEYS, readHealthLimits, readLimits } from './read-limits.js';

/** Reads an environment variable. @returns undefined when it is not set */
export type ReadVariable = (name: string) => string | undefined;

const KINDS = ['embedded', 'openai-compatible'] as const;
const COMMON_KEYS = ['name', 'kind', 'enabled', 'max_concurrency', ...LIMIT_KEYS, ...HEALTH_KEYS];
const HTTP_KEYS = [
  ...COMMON_KEYS,
  ...['base_url', 'key_env', 'dialect', 'params', 'usage', 'token_frames', 'connections', 'connect_ms', 'lora'],
  'models',
];
const DEFAULT_CONNECTIONS = 128;
const DEFAULT_CONNECT_MS = 3_000;
const DEFAULT_CONCURRENCY = 64;
/** The engine has a queue of its own, which knows better. */
const EMBEDDED_CONCURRENCY = 10_000;

/** @throws ConfigurationError */
export function readUpstream(node: ConfigNode, readVariable: ReadVariable): UpstreamConfiguration {
  // Which keys are known depends on the kind, and the kind is one of them.
  const kind = node.object(HTTP_KEYS).require('kind').oneOf(KINDS);
  return kind === 'embedded' ? readEmbedded(node.object(COMMON_KEYS)) : readHttp(node.object(HTTP_KEYS), readVariable);
}

/** The embedded engine where the file does not speak of it. */
export const EMBEDDED: EmbeddedConfiguration = {
  kind: 'embedded',
  name: 'local',
  isEnabled: true,
  maxConcurrency: EMBEDDED_CONCURRENCY,
  limits: {},
  health: DEFAULT_HEALTH_LIMITS,
};

function readEmbedded(object: ConfigObject): EmbeddedConfiguration {
  return { kind: 'embedded', ...readCommon(object, EMBEDDED_CONCURRENCY) };
}

function readCommon(object: ConfigObject, concurrency: number): Omit<EmbeddedConfiguration, 'kind'> {
  return {
    name: readName(object.require('name')),
    isEnabled: object.read('enabled', true, (node) => node.boolean()),
    maxConcurrency: object.read('max_concurrency', concurrency, (node) => node.integer(1)),
    limits: readLimits(object),
    health: readHealthLimits(object),
  };
}

function readHttp(object: ConfigObject, readVariable: ReadVariable): HttpUpstreamConfiguration {
  const dialect = object.read<Dialect>('dialect', 'generic', (node) => node.oneOf(['vllm', 'openai', 'generic']));
  const isVllm = dialect === 'vllm';
  return {
    kind: 'openai-compatible',
    ...readCommon(object, DEFAULT_CONCURRENCY),
    baseUrl: readBaseUrl(object.require('base_url')),
    key: object.read('key_env', null, (node) => readKey(node, readVariable)),
    dialect,
    parameters: object.read('params', isVllm ? 'all' : 'openai', readParameters),
    usage: object.read('usage', 'include', (node) => node.oneOf(['include', 'native', 'none'])),
    hasTokenFrames: object.read('token_frames', false, (node) => node.boolean()),
    connections: object.read('connections', DEFAULT_CONNECTIONS, (node) => node.integer(1, 65_535)),
    connectMs: object.read('connect_ms', DEFAULT_CONNECT_MS, (node) => node.integer(1)),
    models: readModels(object.require('models'), isVllm),
    lora: object.read('lora', null, readLora),
  };
}

function readName(node: ConfigNode): string {
  const name = node.text();
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name) ? name : node.fail('must be 1 to 63 of A-Z a-z 0-9 . _ -');
}

function readBaseUrl(node: ConfigNode): string {
  const text = node.text();
  const url = URL.canParse(text) ? new URL(text) : node.fail('must be a URL.');
  if (!['http:', 'https:'].includes(url.protocol)) node.fail('must begin with http:// or https://.');
  if (url.username || url.password) node.fail('must not hold credentials; name a variable in key_env.');
  if (url.search || url.hash) node.fail('must end with its path.');
  return text.replace(/\/+$/, '');
}

function readKey(node: ConfigNode, readVariable: ReadVariable): string {
  const name = node.text();
  const key = readVariable(name)?.trim();
  if (!key) return node.fail(`names the environment variable ${name}, which is not set.`);
  // Anything else would end the header, or the request.
  return /^[\x21-\x7e]+$/.test(key) ? key : node.fail(`names ${name}, which holds more than visible ASCII characters.`);
}

function readParameters(node: ConfigNode): HonouredParameters {
  if (node.isText) return node.oneOf(['all', 'openai'] as const);
  return node.list().map((item) => item.text());
}

function readModels(node: ConfigNode, isVllm: boolean): ModelConfiguration[] {
  const seen = new Set<string>();
  return node.list().map((item) => {
    const object = item.object(['name', 'context_length', 'capabilities']);
    const name = object.require('name');
    if (seen.has(name.text())) name.fail(`is there twice: ${name.text()}.`);
    seen.add(name.text());
    return {
      name: name.text(),
      contextLength: object.read('context_length', null, (length) => length.integer(1)),
      // vLLM does all of it, whatever the model; of others nobody knows.
      capabilities: object.read<readonly Capability[] | null>('capabilities', isVllm ? CAPABILITIES : null, (list) =>
        list.list().map((capability) => capability.oneOf(CAPABILITIES)),
      ),
    };
  });
}

function readLora(node: ConfigNode): LoraConfiguration | null {
  const object = node.object(['enabled', 'bases', 'max_loras', 'adapter_path_map']);
  if (!object.read('enabled', true, (enabled) => enabled.boolean())) return null;
  return {
    bases: object
      .require('bases')
      .list()
      .map((base) => base.text()),
    maxLoras: object.read('max_loras', 1, (count) => count.integer(1)),
    adapterPathMap: object.read('adapter_path_map', {}, (map) =>
      Object.fromEntries(map.entries().map(([ours, theirs]) => [ours, theirs.text()])),
    ),
  };
}
