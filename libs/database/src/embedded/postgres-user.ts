import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * Postgres refuses to run as root. Started as root, its processes run as the owner of the existing data directory,
 * else as the system user `postgres`, else `nobody`. Undefined: run as the current user.
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

const SETPRIV = '/usr/bin/setpriv';

/** A command line, and the user for `spawn` where no tool changes it. */
export interface Command {
  file: string;
  args: string[];
  options: Partial<SystemUser>;
}

/**
 * The command that runs a Postgres program as `user`. On Linux, setpriv also gives the program its shutdown signal when
 * this process dies, however it dies, and lets it pass folders that only root may enter (a checkout or data directory
 * below /root): the right to pass is all that it keeps of root's.
 *
 * @param paths what the program must reach
 */
export function commandFor(user: SystemUser | undefined, program: string, args: string[], paths: string[]): Command {
  if (process.platform !== 'linux' || !existsSync(SETPRIV)) return { file: program, args, options: { ...user } };
  const flags = ['--pdeathsig', 'INT'];
  if (user) {
    flags.push('--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups');
    if (![program, ...paths].every((path) => isReachable(path, user))) {
      flags.push('--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override');
    }
  }
  return { file: SETPRIV, args: [...flags, program, ...args], options: {} };
}

/** Whether `user` may pass every folder above `path`. */
function isReachable(path: string, { uid, gid }: SystemUser): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stat = statSync(folder, { throwIfNoEntry: false });
    const bit = stat?.uid === uid ? 0o100 : stat?.gid === gid ? 0o010 : 0o001;
    if (stat && !(stat.mode & bit)) return false;
    if (folder === dirname(folder)) return true;
  }
}
