import { compileExpression, type FieldTable, resolveField } from '@hone/call-queries';
import type { CompareSliceDto, JsonValue } from '@hone/contracts';
import { Prisma } from '@hone/database';

/** Whether a row `r` is in a slice. */
export type SliceCondition = Prisma.Sql;

const ROW_FIELDS: FieldTable = { inputs: { kind: 'json', column: Prisma.sql`r.inputs` } };

/** Conditions of slices. @throws ValidationError a bad expression */
export const compileSlices = (slices: readonly CompareSliceDto[], refScheme: string): SliceCondition[] =>
  slices.map(({ expression }, at) =>
    compileExpression(expression as JsonValue, { refScheme, resolve: (name) => resolveField(ROW_FIELDS, name) }, [
      'body',
      'slices',
      at,
      'expression',
    ]),
  );
