import { useState } from 'react';

/**
 * A number that this browser remembers: how somebody likes a page, which is nothing to share by its address.
 *
 * @param name of it, unique in the console
 */
export function useRememberedNumber(name: string, standard: number): [value: number, set: (value: number) => void] {
  const key = `hone.${name}`;
  const [value, setValue] = useState(() => {
    const stored = localStorage.getItem(key);
    const number = Number(stored);
    return stored === null || !Number.isFinite(number) ? standard : number;
  });
  const set = (to: number) => {
    localStorage.setItem(key, String(to));
    setValue(to);
  };
  return [value, set];
}
