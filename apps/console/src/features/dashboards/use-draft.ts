import { isJsonObject, parseJson, stringifyJson } from '@hone/client';
import { useState } from 'react';

import { useProject } from '../../shared/data/project.js';
import type { DashboardValue } from './dashboard.js';

/** A dashboard while it is changed. */
export interface Draft {
  /** Digest of the version that the change began from; null: the dashboard has none. */
  readonly base: string | null;
  readonly value: DashboardValue;
}

/**
 * What somebody has changed of a dashboard and not saved. The tab of the browser keeps it, also over a reload and while
 * one looks at other pages.
 */
export function useDraft(objectId: string): [draft: Draft | null, set: (draft: Draft | null) => void] {
  const { id } = useProject();
  const key = `hone.dashboard.${id}.${objectId}`;
  const [draft, setDraft] = useState(() => stored(key));
  const set = (to: Draft | null) => {
    setDraft(to);
    if (to === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, stringifyJson(to));
  };
  return [draft, set];
}

function stored(key: string): Draft | null {
  const text = sessionStorage.getItem(key);
  const draft = text === null ? null : parseJson(text);
  if (!isJsonObject(draft) || !isJsonObject(draft['value'])) return null;
  return { base: typeof draft['base'] === 'string' ? draft['base'] : null, value: draft['value'] };
}
