import { runInNewContext } from 'node:vm';

import { AdapterUnsupportedError } from './checkpoint.errors.js';

/** Another program wrote the pattern. Some patterns take longer than the age of the universe on a short name. */
const PATTERN_MS = 200;
/** A pattern that names modules literally. */
const LITERAL = /^[\w.]+$/;

/**
 * Whether a pattern of an `adapter_config.json` matches a module's whole name: Python's `re.fullmatch`.
 *
 * @param file and field that have the pattern, for errors
 * @throws AdapterUnsupportedError it is none, or takes too long
 */
export function matchesModule({ file, field }: { file: string; field: string }, pattern: string, module: string) {
  try {
    return runInNewContext(
      'new RegExp(pattern).test(text)',
      { pattern: `^(?:${pattern})$`, text: module },
      { timeout: PATTERN_MS },
    ) as boolean;
  } catch (error) {
    const isSlow = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    const reason = isSlow ? 'takes too long to be matched' : 'is no regular expression';
    throw new AdapterUnsupportedError(file, `the pattern ${field} ${reason}`, { cause: error });
  }
}

/** Whether a key matches the end of a module's name, as PEFT's `get_pattern_key` has it. @throws as {@link matchesModule} */
export function matchesKey(place: { file: string; field: string }, key: string, module: string): boolean {
  if (LITERAL.test(key)) return module === key || module.endsWith(`.${key}`);
  return matchesModule(place, `(?:.*\\.)?(?:${key})`, module);
}
