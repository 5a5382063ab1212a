import { type Phrase, projectTerm } from '@hone/calls';
import { Prisma } from '@hone/database';

/** Where words are looked for. */
export type SearchSide = 'inputs' | 'output';

/**
 * Whether `calls c` has phrases among its words. The first condition is that of the index, word by word.
 *
 * @param side null: in both together
 * @param projectRowId null: not known yet, the condition is only checked
 */
export function hasPhrases(
  phrases: readonly Phrase[],
  side: SearchSide | null,
  projectRowId: string | null,
): Prisma.Sql {
  const terms = [...new Set(phrases.flatMap((phrase) => phrase.terms))];
  const all = projectRowId === null ? terms : [projectTerm(projectRowId), ...terms];
  const conditions = [Prisma.sql`(s.inputs || s.output) @> ${literal(all)}`];
  if (side !== null) conditions.push(Prisma.sql`${Prisma.raw(`s.${side}`)} @> ${literal(terms)}`);
  for (const { sequence } of phrases)
    if (sequence.length > 1) conditions.push(follows(sequence, side === null ? ['inputs', 'output'] : [side]));
  return Prisma.sql`EXISTS (
    SELECT FROM call_search s WHERE s.project_id = c.project_id AND s.id = c.id AND ${Prisma.join(conditions, ' AND ')})`;
}

/** In the text, so that the planner knows how rare the words are; these are numbers. */
const literal = (terms: readonly number[]): Prisma.Sql => Prisma.raw(`'{${terms.join(',')}}'::integer[]`);

function follows(sequence: readonly number[], sides: readonly SearchSide[]): Prisma.Sql {
  const wanted = Prisma.raw(`',${sequence.join(',')},'`);
  const parts = sides.map(
    (side) => Prisma.sql`position(${wanted} IN ',' || array_to_string(${Prisma.raw(`s.${side}`)}, ',') || ',') > 0`,
  );
  return Prisma.sql`(${Prisma.join(parts, ' OR ')})`;
}
