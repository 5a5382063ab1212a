import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { killService } from '../../apps/launcher/upgrade/child-processes.mjs';
import { RunningHone } from '../running-hone.mjs';

/** Hone for pages to look at. Its upstreams file names no server; whoever rewrites it adds some while Hone runs. */
export class ConsoleHone {
  static async start() {
    const folder = await mkdtemp(join(tmpdir(), 'hone-upstreams-'));
    const file = join(folder, 'upstreams.json');
    await writeFile(file, '{ "upstreams": [] }');
    return new ConsoleHone(await RunningHone.start(process.execPath, { HONE_UPSTREAMS: file }), folder, file);
  }

  constructor(hone, folder, upstreamsFile) {
    this.hone = hone;
    this.folder = folder;
    this.upstreamsFile = upstreamsFile;
  }

  /** Address and key. */
  get url() {
    return this.hone.url;
  }

  get key() {
    return this.hone.key;
  }

  /** Ends services for good: the launcher, which would start them again, stands still until all is removed. */
  async stopServices(...names) {
    const { pid } = this.hone.launcher;
    process.kill(pid, 'SIGSTOP');
    for (const name of names) await killService(pid, name);
  }

  async remove() {
    this.hone.launcher.kill('SIGCONT');
    await this.hone.remove();
    await rm(this.folder, { recursive: true });
  }
}
