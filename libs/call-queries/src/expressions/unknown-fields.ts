import { type Issue, type Loc, valueIssue } from '@hone/contracts';

import type { Operand } from './operand.js';

/** An issue for each name that is no field. @param locOf of the name at an index */
export const unknownFields = (
  names: readonly string[],
  resolve: (name: string) => Operand | boolean | undefined,
  locOf: (index: number) => Loc,
): Issue[] =>
  names.flatMap((name, index) =>
    resolve(name) ? [] : [valueIssue(`There is no field '${name.slice(0, 200)}'`, locOf(index))],
  );
