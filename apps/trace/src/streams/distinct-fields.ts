/** Sort fields, each where it comes first: a field that comes again orders nothing. Callers may send very many. */
export function distinctFields<Sort extends { readonly field: string }>(sort: readonly Sort[]): Sort[] {
  const first = new Map<string, Sort>();
  for (const one of sort) if (!first.has(one.field)) first.set(one.field, one);
  return [...first.values()];
}
