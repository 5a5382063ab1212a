import { fullPath, isModel, isSamePath, pathProblem } from '../../../shared/query/fields.js';
import { printPath } from '../../../shared/query/print.js';
import type { Path } from '../../../shared/query/query.js';
import { tokensOf } from '../../../shared/query/tokens.js';

/** Facets that one may add: the interface counts ten fields at once. */
export const MAX_CHOSEN = 5;

/** The fields whose values are counted besides, as the address has them, separated by commas. What is none is left out. */
export function toFacetPaths(text: string): readonly Path[] {
  const paths: Path[] = [];
  for (const path of wordsOf(text)) if (isFacet(path) && !paths.some((one) => isSamePath(one, path))) paths.push(path);
  return paths.slice(0, MAX_CHOSEN);
}

export const printFacetPaths = (paths: readonly Path[]): string => paths.map(printPath).join(',');

/** The field that a text names; null: it names none whose values can be counted. */
export function toFacetPath(text: string): Path | null {
  const [path, ...others] = wordsOf(text);
  return path !== undefined && others.length === 0 && isFacet(path) ? fullPath(path) : null;
}

const isFacet = (path: Path): boolean => !isModel(path) && pathProblem(path) === null;

function wordsOf(text: string): readonly Path[] {
  try {
    return tokensOf(text).flatMap(({ kind, path, isOpen }) => (kind === 'word' && !isOpen ? [path] : []));
  } catch {
    return [];
  }
}
