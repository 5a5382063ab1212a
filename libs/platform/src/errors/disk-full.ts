/** No space, or no quota. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Whether the operating system refused a write because the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  FULL.has((error as NodeJS.ErrnoException | undefined)?.code ?? '');
