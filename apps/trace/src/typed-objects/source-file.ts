import { isJsonObject, type JsonValue } from '@hone/contracts';

/** The file that holds source code. */
const SOURCE_FILE = 'obj.py';

/** The key of a value that names its source file. */
export const filesOf = (sourceDigest: string) => ({ files: { [SOURCE_FILE]: sourceDigest } });

/** Digest of the source file that a value names; undefined when it has none. */
export function sourceDigestOf(val: Readonly<Record<string, JsonValue | undefined>>): string | undefined {
  const digest = isJsonObject(val['files']) ? val['files'][SOURCE_FILE] : undefined;
  return typeof digest === 'string' ? digest : undefined;
}
