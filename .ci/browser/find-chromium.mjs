import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A Chromium of this machine, or the one that `HONE_CHROMIUM` names; null: there is none. */
export const findChromium = () =>
  [process.env.HONE_CHROMIUM, ...PLACES].find((file) => file !== undefined && existsSync(file)) ?? null;

if (process.argv[1] === import.meta.filename) {
  console.log(findChromium() ?? 'Chromium is not there: install it, or set HONE_CHROMIUM.');
  if (findChromium() === null) process.exitCode = 1;
}
