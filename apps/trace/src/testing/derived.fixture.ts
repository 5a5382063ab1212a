import { DERIVED_COLUMNS } from '@hone/calls';
import type { TestDatabase } from '@hone/testing';

/** Leaves calls as a version before wrote them, which did not derive anything. @param condition of SQL: which calls */
export const forgetDerived = (sql: TestDatabase['sql'], condition = 'true') =>
  sql(
    `UPDATE calls SET is_start_derived = false, is_end_derived = false, ${DERIVED_COLUMNS.map((name) => `${name} = NULL`).join(', ')}
     WHERE ${condition}`,
  );
