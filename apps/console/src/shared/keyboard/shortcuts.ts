import { useEffect, useSyncExternalStore } from 'react';

/** What keys do, for people to read: the keys as they are written, and what they do. */
export type Shortcut = readonly [keys: string, does: string];

/** Keys of one part of a page. */
export interface ShortcutGroup {
  /** Where they work. */
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

let groups: readonly ShortcutGroup[] = [];
const listeners = new Set<() => void>();

function set(next: readonly ShortcutGroup[]): void {
  groups = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Lists keys in the help of the page, while the part that they belong to is shown. @param group the same at each call */
export function useShortcuts(group: ShortcutGroup): void {
  useEffect(() => {
    set([...groups, group]);
    return () => set(groups.filter((one) => one !== group));
  }, [group]);
}

/** All that are listed now, in the order in which their parts came. */
export const useShortcutGroups = (): readonly ShortcutGroup[] => useSyncExternalStore(subscribe, () => groups);
