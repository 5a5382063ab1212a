import { check, type Checked, type Class, fieldsOf, type Loc } from '@hone/contracts';

import type { SourceFile } from './source-file.js';

/** The same validation as that of request bodies; only the first issue is shown. */
export function validated<T extends object>(source: SourceFile, type: Class<T>, value: unknown, loc: Loc): T {
  const { value: dto, issues }: Checked<T> = check(type, value, loc);
  const [issue] = issues;
  if (issue?.type === 'extra_forbidden') {
    const known = fieldsOf(typeAt(type, issue.loc.slice(loc.length, -1))).map(({ name }) => name);
    return source.fail(issue.loc, `Unknown key; known here: ${known.join(', ')}`);
  }
  return issue === undefined ? (dto as T) : source.fail(issue.loc, issue.msg);
}

/** The DTO class of the object at `loc`. */
function typeAt(type: Class, loc: Loc): Class {
  const names = loc.filter((part) => typeof part === 'string');
  return names.reduce(
    (at, name) =>
      fieldsOf(at)
        .find((field) => field.name === name)
        ?.nested?.type() ?? at,
    type,
  );
}
