import type { EvaluationCallKind } from '@hone/calls';
import { Prisma } from '@hone/database';

/** Keys of the server's attributes -> texts of which a call has one. */
export type WantedAttributes = Readonly<Record<string, readonly string[]>>;

/** A text of the server's attributes of `calls c` with their values `v`. */
const honeText = (key: string): Prisma.Sql => Prisma.sql`(v.attributes #>> ${['hone', key]}::text[])`;

/** Whether a call is of a kind, as its attributes say, and has what is wanted of them. */
export const isOfKind = ({ kind }: Pick<EvaluationCallKind, 'kind'>, wanted: WantedAttributes = {}): Prisma.Sql =>
  Prisma.join(
    [
      Prisma.sql`${honeText('kind')} = ${kind}`,
      ...Object.entries(wanted).map(([key, texts]) => Prisma.sql`${honeText(key)} = ANY(${texts})`),
    ],
    ' AND ',
  );
