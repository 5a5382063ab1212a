import { HttpUpstreamDto, type Loc, type RouteDto, UpstreamDto, UpstreamsFileDto } from '@hone/contracts';
import { type ReadVariable, SourceFile, validated } from '@hone/platform/configuration-file';

import { DEFAULT_LIMITS } from '../../dispatch/policy/limits.js';
import type { CacheSettings } from '../../dispatch/route/answer-cache.js';
import type { Price } from '../../dispatch/route/route.js';
import type {
  GatewayConfiguration,
  RouteConfiguration,
  TargetConfiguration,
  UpstreamConfiguration,
} from './gateway-configuration.js';
import { EMBEDDED, readUpstream } from './read-upstream.js';
import { setLimits } from './set-limits.js';

/** What holds without a file: the embedded engine, alone. */
export const DEFAULT_CONFIGURATION: GatewayConfiguration = {
  upstreams: [EMBEDDED],
  routes: null,
  projectHeaders: ['hone-project', 'openai-project'],
  forwardHeaders: [],
  limits: {
    maxBodyBytes: 33_554_432,
    bodyTimeoutMs: 60_000,
    maxLogprobs: 20,
    maxN: 128,
    compileMs: 10_000,
    compileStates: 200_000,
  },
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
  const source = new SourceFile(file, text);
  const dto = validated(source, UpstreamsFileDto, source.value, []);
  const upstreams = readUpstreams(source, dto, readVariable);
  const defaults = DEFAULT_CONFIGURATION;
  return {
    upstreams,
    routes: dto.routes ? readRoutes(source, dto.routes, upstreams) : null,
    projectHeaders: lowerCase(dto.project_headers) ?? defaults.projectHeaders,
    forwardHeaders: lowerCase(dto.forward_headers) ?? defaults.forwardHeaders,
    limits: { ...defaults.limits, ...setLimits(dto.limits ?? {}, defaults.limits) },
    journal: {
      sync: dto.journal?.sync ?? defaults.journal.sync,
      onFailure: dto.journal?.on_failure ?? defaults.journal.onFailure,
    },
    corsOrigins: dto.cors?.origins ?? defaults.corsOrigins,
    isTextTraced: dto.otel?.capture ?? false,
    drainMs: dto.drain_ms ?? defaults.drainMs,
  };
}

function readUpstreams(source: SourceFile, dto: UpstreamsFileDto, readVariable: ReadVariable): UpstreamConfiguration[] {
  if (!dto.upstreams) return [EMBEDDED];
  const upstreams = dto.upstreams.map((item, index) => {
    const loc = ['upstreams', index];
    const isHttp = (item as Partial<UpstreamDto>).kind === 'openai-compatible';
    const upstream = validated(source, isHttp ? HttpUpstreamDto : UpstreamDto, item, loc);
    return readUpstream(upstream, readVariable, (field, reason) => source.fail([...loc, ...field], reason));
  });
  const twice = upstreams.findIndex(({ name }, at) => upstreams.findIndex((other) => other.name === name) < at);
  if (twice >= 0) source.fail(['upstreams', twice, 'name'], `The name of another upstream: ${upstreams[twice]?.name}`);
  const embedded = upstreams.filter(({ engine }) => engine.kind === 'embedded');
  if (embedded.length > 1) source.fail(['upstreams'], 'The embedded engine is listed more than once');
  if (embedded.length === 1) return upstreams;
  const taken = upstreams.findIndex(({ name }) => name === EMBEDDED.name);
  if (taken >= 0) source.fail(['upstreams', taken, 'name'], `The name ${EMBEDDED.name} is the embedded engine's`);
  return [EMBEDDED, ...upstreams];
}

function readRoutes(
  source: SourceFile,
  routes: readonly RouteDto[],
  upstreams: readonly UpstreamConfiguration[],
): RouteConfiguration[] {
  const seen = new Set<string>();
  for (const [index, { id, aliases }] of routes.entries()) {
    for (const name of [id, ...(aliases ?? [])]) {
      if (seen.has(name)) source.fail(['routes', index], `The id or alias is there twice: ${name}`);
      seen.add(name);
    }
  }
  return routes.map((route, index) => readRoute(source, route, ['routes', index], upstreams));
}

function readRoute(
  source: SourceFile,
  dto: RouteDto,
  loc: Loc,
  upstreams: readonly UpstreamConfiguration[],
): RouteConfiguration {
  if (dto.targets.length === 0) source.fail([...loc, 'targets'], 'List should have at least 1 item');
  return {
    id: dto.id,
    aliases: dto.aliases ?? [],
    strategy: dto.strategy ?? 'least_busy',
    streamGuard: dto.stream_guard ?? 'passthrough',
    limits: setLimits(dto, DEFAULT_LIMITS),
    targets: dto.targets.map((target, index) => readTarget(source, target, [...loc, 'targets', index], upstreams)),
    price: dto.price ? toPrice(dto.price) : null,
    trustChatTemplate: dto.trust_chat_template ?? false,
    trainedFallback: dto.trained_fallback ?? false,
    cache: dto.cache ? toCache(dto.cache) : null,
  };
}

function readTarget(
  source: SourceFile,
  { upstream: name, model, weight, priority }: RouteDto['targets'][number],
  loc: Loc,
  upstreams: readonly UpstreamConfiguration[],
): TargetConfiguration {
  const engine = upstreams.find((upstream) => upstream.name === name)?.engine;
  if (engine === undefined) return source.fail([...loc, 'upstream'], `There is no upstream ${name}`);
  const isListed = engine.kind === 'embedded' || engine.models.some((listed) => listed.name === model);
  if (!isListed) return source.fail([...loc, 'model'], `The upstream ${name} has no model ${model}`);
  return { upstream: name, model, weight: weight ?? 1, priority: priority ?? 0 };
}

/** Ours: without a price of their own, tokens of caches and of reasoning cost as much as any others. */
const toPrice = ({
  prompt,
  cached,
  cache_write,
  completion,
  reasoning,
  image,
  characters,
  minute,
}: NonNullable<RouteDto['price']>): Price => ({
  prompt: prompt ?? 0,
  cached: cached ?? prompt ?? 0,
  cacheWrite: cache_write ?? prompt ?? 0,
  completion: completion ?? 0,
  reasoning: reasoning ?? completion ?? 0,
  image: image ?? 0,
  characters: characters ?? 0,
  minute: minute ?? 0,
});

const DEFAULT_CACHE_BYTES = 67_108_864;

const toCache = ({ ttl_s: seconds, max_bytes: maxBytes, scope }: NonNullable<RouteDto['cache']>): CacheSettings => ({
  ttlMs: seconds * 1_000,
  maxBytes: maxBytes ?? DEFAULT_CACHE_BYTES,
  scope: scope ?? 'project',
});

const lowerCase = (names: readonly string[] | null | undefined): string[] | undefined =>
  names?.map((name) => name.toLowerCase());
