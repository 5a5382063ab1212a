import { access, readFile } from 'node:fs/promises';

/** Ids of the processes that `pid` has started. Source: proc(5). */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Whether there is a process of this id. */
export const isThere = (pid: number): Promise<boolean> =>
  access(`/proc/${pid}`).then(
    () => true,
    () => false,
  );
