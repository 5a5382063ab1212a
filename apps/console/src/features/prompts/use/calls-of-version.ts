import type { ObjectVersionDto } from '@hone/client';

/** Ids of calls that one address can have. */
export const MAX_LINKED = 50;

type Version = Pick<ObjectVersionDto, 'object_id' | 'digest'>;

const ID = 'attributes.prompt.id';
const DIGEST = 'attributes.prompt.digest';

/** The condition on calls that this version was filled in for: their `id` is the object's, or a ref of it. */
export function expressionOf({ object_id, digest }: Version): object {
  const is = (name: string, value: string) => ({ $eq: [{ $getField: name }, { $literal: value }] });
  const isRef = { $contains: { input: { $getField: ID }, substr: { $literal: `/object/${object_id}:` } } };
  return { $and: [is(DIGEST, digest), { $or: [is(ID, object_id), isRef] }] };
}

/** The same, as the query line of the list of calls writes it. */
export function queryOf({ object_id, digest }: Version): string {
  const [id, ref, content] = [object_id, `/object/${object_id}:`, digest].map((text) => JSON.stringify(text));
  return `${DIGEST} = ${content} and (${ID} = ${id} or ${ID} contains ${ref})`;
}

/** The query of the list of calls that shows these calls of a time. @param minutes back from now */
export const listOf = (version: Version, minutes: string, more: Readonly<Record<string, string>> = {}): string =>
  new URLSearchParams({ depth: 'all', range: minutes, ...more, q: queryOf(version) }).toString();

/** The query of the list that shows single calls, the first of them. */
export const listOfIds = (ids: readonly string[]): string => {
  const listed = ids.slice(0, MAX_LINKED).map((id) => JSON.stringify(id));
  return new URLSearchParams({ depth: 'all', q: `id in (${listed.join(', ')})` }).toString();
};
