import { useMemo, useState } from 'react';

/** Rows of the list that a bulk action is meant for. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Selects these as well. */
  readonly add: (ids: readonly string[]) => void;
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      ids,
      toggle: (id) =>
        setIds((before) => {
          const after = new Set(before);
          if (!after.delete(id)) after.add(id);
          return after;
        }),
      add: (more) => setIds((before) => new Set([...before, ...more])),
      clear: () => setIds(new Set()),
    }),
    [ids],
  );
}
