type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Parameters of lists of evaluation runs: the SDKs' -> ours. Theirs are joined by commas. */
const JOINED: Readonly<Record<string, string>> = { evaluation_refs: 'evaluations', model_refs: 'models' };

/** The query of an SDK under our names; those that are none of its names stay. */
export function toOwnQuery(query: Query): Query {
  const names = Object.keys(query);
  if (!names.some((name) => name in JOINED)) return query;
  const own: Record<string, string | string[] | undefined> = {};
  for (const name of names) {
    const value = query[name];
    const ownName = JOINED[name];
    if (ownName === undefined) own[name] = value;
    else own[ownName] = [value ?? []].flat().flatMap((text) => text.split(','));
  }
  return own;
}
