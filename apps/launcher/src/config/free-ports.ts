import { freePort } from '@hone/database/embedded';

/** Ports on 127.0.0.1 that nothing listens on, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) found.add(await freePort());
  return [...found];
}
