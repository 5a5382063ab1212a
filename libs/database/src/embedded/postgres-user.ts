import { readFileSync, statSync } from 'node:fs';

export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * Postgres refuses to run as root. Started as root, its processes run as the owner of the existing data directory,
 * else as the system user `postgres`, else `nobody`. Undefined: run as who we are.
 */
export function postgresUser(dataDir: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!account)
    throw new Error('Postgres does not run as root, and this system has neither a user postgres nor nobody.');
  return { uid: Number(account[2]), gid: Number(account[3]) };
}
