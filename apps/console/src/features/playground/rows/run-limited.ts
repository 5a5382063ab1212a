/**
 * Runs tasks, at most `limit` at a time, in order. Tasks that have not begun when the signal aborts never do.
 *
 * @throws what a task throws, once those that run have ended
 */
export async function runLimited(
  tasks: readonly (() => Promise<void>)[],
  limit: number,
  signal: AbortSignal,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let task = tasks[next++]; task !== undefined && !signal.aborted; task = tasks[next++]) await task();
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(limit, tasks.length) }, work));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
