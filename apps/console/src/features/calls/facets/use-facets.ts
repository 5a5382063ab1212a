import type { CallFacetsDto, CallFacetsResultDto, FacetValueDto } from '@hone/client';
import { useQueries } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { isModel, toFieldName, USAGE } from '../../../shared/query/fields.js';
import type { Path, Query } from '../../../shared/query/query.js';
import { chosenValues, type FacetScope, without } from './facet-query.js';

const LIMIT = 12;
const TRACE_MODELS = 'summary.hone.trace.models';
const STALE_MS = 30_000;

/** Begins the keys of these queries. */
export const FACETS_KEY = 'facets of calls';

/** What is counted of each field of calls. */
export interface Facet {
  readonly path: Path;
  readonly scope: FacetScope;
  readonly label: string;
  /** Without a count: it is not counted. */
  readonly values: readonly (Pick<FacetValueDto, 'value'> & Partial<FacetValueDto>)[];
  readonly isTruncated: boolean;
}

/** A field whose values are counted. */
export interface FacetField {
  readonly path: Path;
  readonly label: string;
}

export const FACETS: readonly FacetField[] = [
  { path: ['status'], label: 'Status' },
  { path: ['op_name'], label: 'Op' },
  { path: ['model'], label: 'Model' },
  { path: ['end_user'], label: 'User' },
  { path: ['user'], label: 'Sent by' },
];

/** Thumbs that people gave, which one may choose by, too. To count them, the feedback of each call would have to be read. */
export const thumbsFacet = ({ filter }: Omit<CallFacetsDto, 'fields'>): Facet => ({
  ...{ path: ['emoji'], label: 'Thumbs', values: [{ value: '👍' }, { value: '👎' }], isTruncated: false },
  scope: filter?.trace_roots_only === true ? 'reaction in trace' : 'reaction',
});

/** The body that counts calls, without what is counted. */
export type ToBody = (query: Query | null) => Omit<CallFacetsDto, 'fields'>;

/**
 * Counts the values of each field among the calls that the rest of the query means: what is chosen of a field does not
 * take away its other values.
 *
 * @param key changes with what {@link ToBody} adds
 */
export function useFacets(fields: readonly FacetField[], query: Query | null, toBody: ToBody, key: readonly string[]) {
  const scopeOf = (path: Path) => scopeIn(toBody(query), path);
  const nameOf = (path: Path) => nameIn(toBody(query), path);
  const isChosen = (path: Path) => chosenValues(query, path, scopeOf(path)).length > 0;
  const requests = [
    { query, paths: fields.map(({ path }) => path).filter((path) => !isChosen(path)) },
    ...fields
      .filter(({ path }) => isChosen(path))
      .map(({ path }) => ({
        ...{ query: without(query, path, scopeOf(path)), paths: [path] },
      })),
  ].filter(({ paths }) => paths.length > 0);
  return useQueries({
    queries: requests.map(({ query: asked, paths }) => {
      const names = paths.map(nameOf);
      const { query: condition } = toBody(asked);
      return {
        queryKey: [FACETS_KEY, ...key, asked, names],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          hone.trace.countCallFacets(
            { ...toBody(asked), query: condition ?? null, fields: names, limit: LIMIT },
            { signal },
          ),
        staleTime: STALE_MS,
        retry: false,
      };
    }),
    combine: (results) => ({
      error: results.find(({ error }) => error !== null)?.error ?? null,
      refetch: () => results.forEach((one) => void one.refetch()),
      read: results[0]?.data,
      facets: fields.map(({ path, label }) =>
        toFacet(
          { path, label, scope: scopeOf(path) },
          nameOf(path),
          results.map(({ data }) => data),
        ),
      ),
    }),
  });
}

/** Roots mostly use no model themselves: those of their traces are counted. */
const scopeIn = ({ filter }: Omit<CallFacetsDto, 'fields'>, path: Path): FacetScope =>
  isModel(path) && filter?.trace_roots_only === true ? 'trace' : 'call';

function nameIn(body: Omit<CallFacetsDto, 'fields'>, path: Path): string {
  if (scopeIn(body, path) === 'trace') return TRACE_MODELS;
  return toFieldName(isModel(path) ? USAGE : path);
}

function toFacet(
  facet: Pick<Facet, 'path' | 'label' | 'scope'>,
  name: string,
  answers: readonly (CallFacetsResultDto | undefined)[],
): Facet | null {
  const found = answers.flatMap((answer) => answer?.facets ?? []).find(({ field }) => field === name);
  return found ? { ...facet, values: found.values, isTruncated: found.truncated } : null;
}
