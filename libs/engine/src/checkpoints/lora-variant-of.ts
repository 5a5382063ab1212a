import { isJsonObject } from '@hone/json';

import { type JsonFields, shownValue } from '../model/config/json-fields.js';
import type { LoraScaling, LoraVariant, LoraVariantOptions, ModuleScale } from '../train/lora-variant.js';
import { AdapterDamagedError, AdapterUnsupportedError } from './checkpoint.errors.js';
import type { AdaptedModule } from './lora-adapter.js';
import { firstKeys, isLiteral, type PatternPlace } from './module-pattern.js';

const MAX_SHOWN = 100;
/** Smaller modules are padded in memory to the largest rank, so mixed ranks are limited. */
const MAX_OWN_RANK = 256;

/**
 * What `rank_pattern`, `alpha_pattern` and `use_rslora` of a configuration resolve to. The scale of a module is
 * alpha / rank, with `use_rslora` alpha / sqrt(rank). Regular expressions become the names of the modules that they match:
 * whoever reads the adapter next has nothing to match.
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
  if (!useRslora && [rankPattern, alphaPattern].every((pattern) => Object.keys(pattern).length === 0)) return undefined;
  const paths = modules.map(({ path }) => path);
  const ranks = valuesOf({ file, field: 'rank_pattern' }, rankPattern, paths);
  const alphas = valuesOf({ file, field: 'alpha_pattern' }, alphaPattern, paths);
  const scales = new Map(
    paths.map((path): [string, ModuleScale] => {
      const ownRank = ranks.get(path) ?? rank;
      return [path, { rank: ownRank, scale: (alphas.get(path) ?? alpha) / (useRslora ? Math.sqrt(ownRank) : ownRank) }];
    }),
  );
  assertSimilar(file, scales);
  return {
    useRslora,
    rankPattern: literally(rankPattern, ranks),
    alphaPattern: literally(alphaPattern, alphas),
    modules: scales,
  };
}

/** What a pattern gives to modules, by their paths; the others are not among them. */
function valuesOf(
  place: PatternPlace,
  pattern: Readonly<Record<string, number>>,
  paths: readonly string[],
): Map<string, number> {
  const [keys, values] = [Object.keys(pattern), Object.values(pattern)];
  const first = firstKeys(place, keys, paths);
  return new Map(paths.flatMap((path, index) => (first[index] === -1 ? [] : [[path, values[first[index]!]!]])));
}

const literally = (pattern: Readonly<Record<string, number>>, values: ReadonlyMap<string, number>) =>
  Object.keys(pattern).every(isLiteral) ? pattern : Object.fromEntries(values);

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
