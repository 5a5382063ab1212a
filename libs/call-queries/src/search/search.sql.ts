import { type Phrase, projectTerm } from '@hone/calls';
import { Prisma } from '@hone/database';

/** Where words are looked for. */
export type SearchSide = 'inputs' | 'output';

/** What one `$search` of an expression looks for. */
export interface Search {
  readonly phrases: readonly Phrase[];
  /** Null: in the inputs and the output together. */
  readonly side: SearchSide | null;
}

/**
 * How the calls of a search are found. `walk`: each call that the query comes to is looked up, which is fast for words
 * that many calls have, as a page is soon full. `ids`: few calls have the words, these. `index`: many have them, but
 * hardly any of the newest, so all are read from the index.
 */
export type SearchWay = { readonly kind: 'walk' | 'index' } | { readonly kind: 'ids'; readonly ids: string[] };

/** Whether `calls c` is among those that a search finds. */
export function isFound(search: Search, projectRowId: string, way: SearchWay): Prisma.Sql {
  switch (way.kind) {
    case 'ids':
      return Prisma.sql`c.id = ANY(${way.ids}::text[])`;
    case 'walk':
      return Prisma.sql`EXISTS (
        SELECT FROM call_search s WHERE s.project_id = c.project_id AND s.id = c.id AND ${matches(search, projectRowId)})`;
    case 'index': // the offset keeps the planner from looking up each call instead
      return Prisma.sql`c.id IN (SELECT s.id FROM call_search s
        WHERE s.project_id = ${projectRowId}::uuid AND ${matches(search, projectRowId)} OFFSET 0)`;
  }
}

/** Whether `call_search s` has the words. The first condition is that of the index, word by word. */
export function matches({ phrases, side }: Search, projectRowId: string): Prisma.Sql {
  const terms = [...new Set(phrases.flatMap((phrase) => phrase.terms))];
  const conditions = [Prisma.sql`(s.inputs || s.output) @> ${literal([projectTerm(projectRowId), ...terms])}`];
  if (side !== null) conditions.push(Prisma.sql`${Prisma.raw(`s.${side}`)} @> ${literal(terms)}`);
  for (const { sequence } of phrases)
    if (sequence.length > 1) conditions.push(follows(sequence, side === null ? ['inputs', 'output'] : [side]));
  return Prisma.join(conditions, ' AND ');
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
