import { readdir, readFile } from 'node:fs/promises';

/**
 * Processes that `parent` started, as Linux' `/proc` shows them.
 *
 * @param {number} parent
 * @returns {Promise<{ pid: number, command: string }[]>} a command's arguments are separated by NUL
 */
export async function childrenOf(parent) {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const all = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return { pid: Number(pid), ppid, command };
    }),
  );
  return all.filter(({ ppid }) => ppid === parent);
}

/** Ends a service of a launcher at once, with SIGKILL. */
export async function killService(launcherPid, service) {
  const found = (await childrenOf(launcherPid)).find(({ command }) => command.includes(`/apps/${service}/`));
  if (!found) throw new Error(`${service} does not run.`);
  process.kill(found.pid, 'SIGKILL');
}
