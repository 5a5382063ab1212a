import { access, readFile } from 'node:fs/promises';

/** Ids of the processes that `pid` has started. Source: proc(5). */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** The process in which a job of `pid` trains; undefined: there is none yet. One that plans may still be ending. */
export async function engineOf(pid: number): Promise<number | undefined> {
  for (const child of await childrenOf(pid)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('training-child')) return child;
  }
  return undefined;
}

/** Whether there is a process of this id. */
export const isThere = (pid: number): Promise<boolean> =>
  access(`/proc/${pid}`).then(
    () => true,
    () => false,
  );
