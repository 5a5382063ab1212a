import { isObjectId, patternIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform/body-task';

/**
 * Object id of a typed object: its name in lower case, blanks and `/` as `_`, `<` and `>` dropped; nothing left:
 * the name of its kind.
 *
 * @throws ValidationError at `name`: the outcome is no object id
 */
export function objectIdOf(name: string, kind: string): string {
  const id = name.toLowerCase().replace(/[\s/]/gu, '_').replace(/[<>]/g, '') || kind;
  if (!isObjectId(id)) throw new ValidationError([patternIssue('letters, digits, blanks, _ . - /', ['body', 'name'])]);
  return id;
}
