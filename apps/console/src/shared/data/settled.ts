import { useEffect, useState } from 'react';

/** Typing is over after this long. */
export const TYPING_MS = 250;

/** A value that somebody types, once typing is over. */
export function useSettled<T>(typed: T): T {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
