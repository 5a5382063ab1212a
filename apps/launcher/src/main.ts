import { EnvironmentError } from '@hone/platform/config';

import { prepareDataDir } from './config/data-dir.js';
import { DataDirLock } from './config/data-dir-lock.js';
import { LaunchError } from './config/launch.error.js';
import { readLauncherConfig } from './config/launcher.config.js';
import { TempFolder } from './config/temp-folder.js';
import { Launcher } from './launcher.js';

const PARENT_CHECK_MS = 500;

process.stdout.on('error', () => undefined); // the terminal has closed: Hone runs until SIGHUP
let stopping: Promise<void> | undefined;

try {
  const config = readLauncherConfig();
  prepareDataDir(config.dataDir);
  const lock = DataDirLock.take(config.dataDir);
  const temp = TempFolder.make(config.dataDir);
  const launcher = new Launcher(config, temp.path, (line) => console.log(line));
  const stop = (exitCode: number): Promise<void> =>
    (stopping ??= launcher.stop().then(() => {
      temp.remove();
      lock.release();
      process.exit(exitCode);
    }));
  // Ctrl-C arrives twice, from the terminal and from npm: the second one changes nothing.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!stopping) console.log('Stopping: no new requests; running ones have 10 s to end.');
      void stop(0);
    });
  stopWithNpm(() => void stop(0));
  launcher.start().catch(async (error: unknown) => {
    if (stopping) return;
    console.error(error instanceof LaunchError ? error.message : error);
    await stop(1);
  });
} catch (error) {
  console.error(error instanceof EnvironmentError || error instanceof LaunchError ? error.message : error);
  process.exit(1);
}

/** A killed `npm start` passes no signal on: the launcher stops when its parent process changes. */
function stopWithNpm(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) stop();
  }, PARENT_CHECK_MS).unref();
}
