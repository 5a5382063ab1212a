import type { JobFeed } from './job-feed.js';

/** Resolves when there is an event after `seq`, when there will never be one, or when `signal` says so. */
export async function waitForEvent(feed: JobFeed, seq: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!feed.hasAfter(seq) && !feed.isOverAfter(seq) && !signal.aborted) return;
      unwatch();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const unwatch = feed.watch(look);
    signal.addEventListener('abort', look);
    look();
  });
}
