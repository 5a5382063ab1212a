/** How one version of an object is named: read in this order, as in every ref and path. */
export type VersionSelector =
  | { by: 'latest' }
  | { by: 'index'; versionIndex: number }
  | { by: 'digest'; digest: string }
  | { by: 'alias'; alias: string };

const DIGEST = /^[A-Za-z0-9]{43}$/;
const INDEX = /^v(0|[1-9]\d{0,8})$/;

export function parseVersionSelector(text: string): VersionSelector {
  if (text === 'latest') return { by: 'latest' };
  const index = INDEX.exec(text);
  if (index) return { by: 'index', versionIndex: Number(index[1]) };
  return DIGEST.test(text) ? { by: 'digest', digest: text } : { by: 'alias', alias: text };
}
