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

/** A text that this browser remembers, such as the id of what somebody looked at last. @param name of it, unique in the console */
export function useRememberedText(name: string): [value: string, set: (value: string) => void] {
  const key = `hone.${name}`;
  const [changed, setChanged] = useState<{ readonly key: string; readonly value: string } | null>(null);
  const value = changed?.key === key ? changed.value : (localStorage.getItem(key) ?? '');
  const set = (to: string) => {
    localStorage.setItem(key, to);
    setChanged({ key, value: to });
  };
  return [value, set];
}
