import { bytesDigest, type JsonObject } from '@hone/contracts';
import { type ObjectContent, toObjectContent } from '@hone/objects/content';
import { ValidationError } from '@hone/platform/body-task';

import { internalRefIssues } from '../objects/internal-refs.js';
import { objectIdOf } from '../objects/typed-object.js';
import { filesOf } from './source-file.js';

/** What a body says of a version of a typed object. */
export interface TypedDraft {
  /** Absent or null: the name of the kind. */
  name: string | null | undefined;
  /** The value, but for its files. */
  val: JsonObject;
  /** Text of the file `obj.py`; undefined: the version has none. */
  sourceCode?: string | undefined;
}

/** A version of a typed object as it is stored. */
export interface SentVersion {
  readonly objectId: string;
  readonly content: ObjectContent;
  /** Text of the file `obj.py`; undefined: the version has none. */
  readonly sourceCode: string | undefined;
}

/**
 * @param noun of the kind
 * @throws ValidationError the name gives no object id, or the value contains internal refs
 */
export function toSentVersion(noun: string, { name, val, sourceCode }: TypedDraft, refScheme: string): SentVersion {
  const objectId = objectIdOf(name ?? '', noun);
  const issues = internalRefIssues(val, ['body']);
  if (issues.length) throw new ValidationError(issues);
  const files = sourceCode === undefined ? {} : filesOf(bytesDigest(sourceCode));
  return { objectId, content: toObjectContent({ ...val, ...files }, refScheme), sourceCode };
}
