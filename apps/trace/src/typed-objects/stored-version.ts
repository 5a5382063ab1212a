import { isJsonObject, parseJson, stringifyJson } from '@hone/contracts';
import type { Task } from '@hone/threads';

import { sourceDigestOf } from './source-file.js';
import { type StoredVal, textOrNull, type TypedKind } from './typed-kind.js';

/** What a version answers of its value. */
export interface ReadVersion {
  readonly name: string | null;
  readonly description: string | null;
  /** Digest of its source file. */
  readonly sourceDigest: string | undefined;
  /** JSON object with the fields of the kind. */
  readonly fields: string;
}

/** Reads the text of a stored value. */
export type ReadTask = Task<string, ReadVersion>;

/**
 * The task that reads stored values of a kind.
 *
 * @param module `import.meta.url` of the module that exports it as `READ`
 */
export const readTask = ({ toFields }: TypedKind, module: string): ReadTask => ({
  ...{ module, name: 'READ' },
  run(text) {
    const parsed = parseJson(text);
    const val: StoredVal = isJsonObject(parsed) ? parsed : {};
    return {
      name: textOrNull(val['name']),
      description: textOrNull(val['description']),
      sourceDigest: sourceDigestOf(val),
      fields: stringifyJson(toFields(val)),
    };
  },
});
