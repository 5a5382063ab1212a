import type { Price } from '../routing/route.js';
import type { ConfigNode } from './config-node.js';
import type { RouteConfiguration, TargetConfiguration, UpstreamConfiguration } from './gateway-configuration.js';
import { LIMIT_KEYS, readLimits } from './read-limits.js';

const KEYS = [
  ...['id', 'aliases', 'strategy', 'stream_guard', 'targets', 'price', 'trust_chat_template', 'trained_fallback'],
  ...LIMIT_KEYS,
];
const MAX_ID = 512;

/** @throws ConfigurationError */
export function readRoute(node: ConfigNode, upstreams: readonly UpstreamConfiguration[]): RouteConfiguration {
  const object = node.object(KEYS);
  const targets = object.require('targets');
  if (targets.list().length === 0) targets.fail('must not be empty.');
  return {
    id: readId(object.require('id')),
    aliases: object.read('aliases', [], (list) => list.list().map(readId)),
    strategy: object.read('strategy', 'least_busy', (strategy) => strategy.oneOf(['least_busy', 'weighted'])),
    streamGuard: object.read('stream_guard', 'passthrough', (guard) => guard.oneOf(['passthrough', 'buffered'])),
    limits: readLimits(object),
    targets: targets.list().map((target) => readTarget(target, upstreams)),
    price: object.read('price', null, readPrice),
    trustChatTemplate: object.read('trust_chat_template', false, (trust) => trust.boolean()),
    trainedFallback: object.read('trained_fallback', false, (fallback) => fallback.boolean()),
  };
}

function readId(node: ConfigNode): string {
  const id = node.text();
  return id.length <= MAX_ID ? id : node.fail(`must have at most ${MAX_ID} characters.`);
}

function readTarget(node: ConfigNode, upstreams: readonly UpstreamConfiguration[]): TargetConfiguration {
  const object = node.object(['upstream', 'model', 'weight', 'priority']);
  const named = object.require('upstream');
  const model = object.require('model');
  const upstream =
    upstreams.find(({ name }) => name === named.text()) ?? named.fail(`names no upstream: ${named.text()}.`);
  const isListed = upstream.kind === 'embedded' || upstream.models.some(({ name }) => name === model.text());
  if (!isListed) model.fail(`is no model of ${upstream.name}: ${model.text()}.`);
  return {
    upstream: upstream.name,
    model: model.text(),
    weight: object.read('weight', 1, (weight) => weight.number(0.001, 1_000_000)),
    priority: object.read('priority', 0, (priority) => priority.integer(0, 1_000)),
    line: node.line,
  };
}

function readPrice(node: ConfigNode): Price {
  const object = node.object(['prompt', 'cached', 'completion']);
  const read = (key: string, fallback: number) => object.read(key, fallback, (price) => price.number(0, 1_000_000));
  const prompt = read('prompt', 0);
  // Ours: who names no price for cached tokens pays for them as for any others.
  return { prompt, cached: read('cached', prompt), completion: read('completion', 0) };
}
