import { useEffect, useState } from 'react';

import { useSearchState } from './search-state.js';
import { TYPING_MS } from './settled.js';

/** A text of the address that somebody types, which the address has once typing is over. */
export interface TypedSearch {
  /** As the address has it. */
  readonly text: string;
  readonly typed: string;
  readonly setTyped: (typed: string) => void;
}

/** @param name as in the address */
export function useTypedSearch(name: string): TypedSearch {
  const [text, setText] = useSearchState(name);
  const [typed, setTyped] = useState(text);
  const [applied, setApplied] = useState(text);
  if (applied !== text) {
    // Something else has changed it, such as a link.
    setApplied(text);
    setTyped(text);
  }
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => setText(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, setText, typed]);
  return { text, typed, setTyped };
}
