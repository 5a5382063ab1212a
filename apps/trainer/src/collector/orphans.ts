import type { ArtifactStore } from '@hone/artifacts';

/** Minimum age of an orphan: younger bytes without a row may still be in the middle of an upload. */
const ORPHAN_AGE_MS = 24 * 3_600_000;

/** Returns the uris of the list that are still needed. */
export type FindNeeded = (uris: readonly string[]) => Promise<ReadonlySet<string>>;

export const isOld = (modifiedAt: Date): boolean => Date.now() - modifiedAt.getTime() > ORPHAN_AGE_MS;

/** Deletes the old entries directly under `prefix` that no row refers to. */
export async function deleteOrphans(store: ArtifactStore, prefix: string, findNeeded: FindNeeded): Promise<void> {
  const old: string[] = [];
  for await (const { uri, modifiedAt } of store.list(prefix)) if (isOld(modifiedAt)) old.push(uri);
  const needed = await findNeeded(old);
  for (const uri of old) if (!needed.has(uri)) await store.delete(uri);
}

/** Does the same one level below `prefix`, which has a folder for each model. */
export async function deleteOrphansOfModels(
  store: ArtifactStore,
  prefix: string,
  findNeeded: FindNeeded,
): Promise<void> {
  for await (const model of store.list(prefix)) await deleteOrphans(store, keyOf(model.uri), findNeeded);
}

/**
 * Does the same at any depth; the parent folders of a needed file stay.
 *
 * @param needed uris
 */
export async function deleteOrphansAround(
  store: ArtifactStore,
  prefix: string,
  needed: readonly string[],
): Promise<void> {
  const exact = new Set(needed);
  const onTheWay = new Set(needed.flatMap(ancestorsOf));
  const sweep = async (at: string): Promise<void> => {
    const inner: string[] = [];
    for await (const { uri, modifiedAt } of store.list(at)) {
      if (exact.has(uri)) continue;
      if (onTheWay.has(uri)) inner.push(uri);
      else if (isOld(modifiedAt)) await store.delete(uri);
    }
    for (const uri of inner) await sweep(keyOf(uri));
  };
  await sweep(prefix);
}

const ancestorsOf = (uri: string) => {
  const parts = uri.split('/');
  return parts.slice(1).map((_part, at) => parts.slice(0, at + 1).join('/'));
};

/** Turns the uri of an object of the store into its key. */
const keyOf = (uri: string) => uri.slice(uri.indexOf(':') + 1);
