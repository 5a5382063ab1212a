import { Script } from 'node:vm';

import { AdapterUnsupportedError } from './checkpoint.errors.js';

/**
 * For all patterns of a field together: other programs wrote them, and some take longer than the age of the universe on
 * a short name. The most patterns on the modules of a model of 80 layers take a tenth of it.
 */
const PATTERNS_MS = 1_000;
const MAX_PATTERNS = 256;
/** Ends of the names of adapted modules, for which a regular expression matches nothing else. */
const LITERAL =
  /^(?:(?:(?:(?:model\.)?layers\.)?\d+\.)?(?:self_attn\.[qkvo]_proj|mlp\.(?:gate|up|down)_proj)|[qkvo]_proj|(?:gate|up|down)_proj)$/;
/** `u`: escapes that Python alone knows, such as `\Z`, are no letters but errors. */
const FIRST_MATCHES = new Script(`
  const expressions = patterns.map((pattern) => new RegExp('^(?:' + pattern + ')$', 'u'));
  modules.map((module) => expressions.findIndex((expression) => expression.test(module)));
`);

/** Where an `adapter_config.json` has a pattern, for errors. */
export interface PatternPlace {
  readonly file: string;
  readonly field: string;
}

export const isLiteral = (key: string): boolean => LITERAL.test(key);

/** A module's name, and what is left of it after each point. */
export function endsOf(module: string): string[] {
  const parts = module.split('.');
  return parts.map((_, from) => parts.slice(from).join('.'));
}

/**
 * The first pattern that matches each module's whole name, by Python's `re.fullmatch`.
 *
 * @returns for each module the index of a pattern; -1: none matches
 * @throws AdapterUnsupportedError one is none, they are too many, or take too long together
 */
export function firstMatches(
  { file, field }: PatternPlace,
  patterns: readonly string[],
  modules: readonly string[],
): number[] {
  if (patterns.length > MAX_PATTERNS) {
    const reason = `${field} has ${patterns.length} regular expressions, at most ${MAX_PATTERNS} are supported`;
    throw new AdapterUnsupportedError(file, reason);
  }
  try {
    const found = FIRST_MATCHES.runInNewContext({ patterns, modules }, { timeout: PATTERNS_MS }) as ArrayLike<number>;
    return Array.from(found);
  } catch (error) {
    const isSlow = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    const reason = isSlow ? 'takes too long to be matched' : 'is no regular expression';
    throw new AdapterUnsupportedError(file, `the pattern ${field} ${reason}`, { cause: error });
  }
}

/**
 * The first key that matches the end of each module's name, as PEFT's `get_pattern_key` has it. Keys that are names are
 * looked up; only others run as regular expressions.
 *
 * @returns and @throws as {@link firstMatches}
 */
export function firstKeys(place: PatternPlace, keys: readonly string[], modules: readonly string[]): number[] {
  const names = new Map<string, number>();
  const expressions: number[] = [];
  for (const [at, key] of keys.entries()) {
    if (isLiteral(key)) names.set(key, at);
    else expressions.push(at);
  }
  const patterns = expressions.map((at) => `(?:.*\\.)?(?:${keys[at]})`);
  const matches = patterns.length > 0 ? firstMatches(place, patterns, modules) : [];
  return modules.map((module, index) => {
    const found = [...endsOf(module).map((end) => names.get(end)), expressions[matches[index] ?? -1]];
    const first = Math.min(...found.map((at) => at ?? Infinity));
    return first === Infinity ? -1 : first;
  });
}
