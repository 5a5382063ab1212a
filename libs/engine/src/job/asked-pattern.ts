import { endsOf } from '../checkpoints/module-pattern.js';
import { LoraPatternError } from './job.errors.js';

/**
 * A pattern that a job asks for, with the longest name first: of names that fit one module the longest is the most
 * specific, and readers of `adapter_config.json` take the first that fits. The database does not keep the order of keys.
 *
 * @param field that has the pattern, for errors
 * @throws LoraPatternError a name fits none of the modules
 */
export function askedPattern(
  field: 'rank_pattern' | 'alpha_pattern',
  pattern: Readonly<Record<string, number>>,
  modules: readonly { readonly path: string }[],
): Record<string, number> {
  const names = new Set(modules.flatMap(({ path }) => endsOf(path)));
  const stranger = Object.keys(pattern).find((name) => !names.has(name));
  if (stranger !== undefined) throw new LoraPatternError(field, stranger);
  const byLength = ([a]: [string, number], [b]: [string, number]) => b.length - a.length || (a < b ? -1 : 1);
  return Object.fromEntries(Object.entries(pattern).sort(byLength));
}
