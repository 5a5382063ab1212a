import { isJsonObject } from '@hone/json';

import { type JsonFields, shownValue } from '../model/config/json-fields.js';
import type { LoraScaling, LoraVariant, LoraVariantOptions, ModuleScale } from '../train/lora-variant.js';
import { AdapterDamagedError, AdapterUnsupportedError } from './checkpoint.errors.js';
import type { AdaptedModule } from './lora-adapter.js';
import { matchesKey } from './module-pattern.js';

const MAX_SHOWN = 100;
/** Smaller modules are filled up to the largest rank: a file of one large module must not become one of many. */
const MAX_OWN_RANK = 256;

/**
 * What `rank_pattern`, `alpha_pattern` and `use_rslora` of a configuration come to. The scale of a module is alpha / rank,
 * with `use_rslora` alpha / sqrt(rank).
 *
 * @param file that has the patterns, for errors
 * @returns undefined: every module has `rank`, and the scale `alpha / rank`
 * @throws AdapterUnsupportedError a pattern that is none, or takes too long, or ranks that are too far apart
 */
export function loraVariantOf(
  file: string,
  { rank, alpha }: Pick<LoraScaling, 'rank' | 'alpha'>,
  options: LoraVariantOptions,
  modules: readonly Pick<AdaptedModule, 'path'>[],
): LoraVariant | undefined {
  const { useRslora, rankPattern, alphaPattern } = options;
  const [ranks, alphas] = [Object.entries(rankPattern), Object.entries(alphaPattern)];
  if (!useRslora && ranks.length === 0 && alphas.length === 0) return undefined;
  const scaleOf = ({ path }: Pick<AdaptedModule, 'path'>): [string, ModuleScale] => {
    const find = (field: string, pattern: readonly [string, number][]) =>
      pattern.find(([key]) => matchesKey({ file, field }, key, path))?.[1];
    const ownRank = find('rank_pattern', ranks) ?? rank;
    const ownAlpha = find('alpha_pattern', alphas) ?? alpha;
    return [path, { rank: ownRank, scale: ownAlpha / (useRslora ? Math.sqrt(ownRank) : ownRank) }];
  };
  const scales = new Map(modules.map(scaleOf));
  assertSimilar(file, scales);
  return { useRslora, rankPattern, alphaPattern, modules: scales };
}

function assertSimilar(file: string, scales: ReadonlyMap<string, ModuleScale>): void {
  const found = Array.from(scales.values(), ({ rank }) => rank);
  const largest = Math.max(...found);
  if (largest <= MAX_OWN_RANK || found.every((rank) => rank === largest)) return;
  const reason = `rank_pattern gives a module the rank ${largest}, and others a smaller one: at most ${MAX_OWN_RANK}`;
  throw new AdapterUnsupportedError(file, `${reason} is supported`);
}

/** The options as a configuration has them. @throws AdapterDamagedError a pattern is no object of numbers > 0 */
export function readVariantOptions(fields: JsonFields): LoraVariantOptions {
  return {
    useRslora: fields.get('use_rslora') === true,
    rankPattern: patternOf(fields, 'rank_pattern', Number.isInteger),
    alphaPattern: patternOf(fields, 'alpha_pattern', Number.isFinite),
  };
}

function patternOf(fields: JsonFields, name: string, fits: (value: unknown) => boolean): Record<string, number> {
  const pattern = fields.get(name) ?? {};
  const isPattern = isJsonObject(pattern) && Object.values(pattern).every((value) => fits(value) && Number(value) > 0);
  if (isPattern) return Object.fromEntries(Object.entries(pattern).map(([key, value]) => [key, Number(value)]));
  const found = shownValue(pattern, MAX_SHOWN);
  throw new AdapterDamagedError(fields.file, `${name} is ${found}, expected numbers > 0 by the names of modules`);
}
