import { useEffect, useState } from 'react';

const TICK_MS = 10_000;

/** The time in Unix milliseconds, for ages that are shown; moves on now and then. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
