/** Builds the repository where that is needed, without the output of the build tool. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Left by a build that went well: when it began, and how many source files there were. */
const STAMP = join(ROOT, 'node_modules/.cache/hone/built');
const NX = join(ROOT, 'node_modules/nx');
/** Its absence means that the build is gone. */
const LAUNCHER = join(ROOT, 'apps/launcher/dist/main.js');

/** Builds what is missing or older than its sources; ends the process when that cannot be done. */
export async function ensureBuilt() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Hone needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
  if (!existsSync(join(ROOT, 'node_modules'))) {
    console.error('The dependencies are not installed: run npm ci first.');
    process.exit(1);
  }
  // An installation without development dependencies was built before, and cannot build.
  if (existsSync(NX) && !isBuilt()) await build();
}

function isBuilt() {
  const stamp = statSync(STAMP, { throwIfNoEntry: false });
  if (!stamp || !existsSync(LAUNCHER)) return false;
  const { count, newest } = sources();
  return newest <= stamp.mtimeMs && readFileSync(STAMP, 'utf8') === String(count);
}

/** How many files the build depends on, and when the last of them changed. */
function sources() {
  const files = [
    'package-lock.json',
    '.swcrc',
    'tools/bundle/bundle-service.mjs',
    'tsconfig.base.json',
    'prisma/schema.prisma',
  ].map((file) => join(ROOT, file));
  for (const kind of ['apps', 'libs'])
    for (const project of foldersIn(join(ROOT, kind))) {
      files.push(join(ROOT, kind, project, 'package.json'));
      collect(join(ROOT, kind, project, 'src'), files);
    }
  const times = files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return { count: files.length, newest: Math.max(...times) };
}

function foldersIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** The build's own sources: what it generates is newer than its beginning, and would have it built again each time. */
function collect(folder, files) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== 'generated') collect(join(folder, entry.name), files);
    else if (/(?<!\.generated)\.(tsx?|css)$/.test(entry.name)) files.push(join(folder, entry.name));
  }
}

async function build() {
  const startedAt = new Date();
  const { count } = sources();
  console.log('Building ...');
  const { bin } = JSON.parse(readFileSync(join(NX, 'package.json'), 'utf8'));
  const child = spawn(process.execPath, [join(NX, bin.nx), 'run-many', '-t', 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  const stop = () => child.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const [code, signal] = await new Promise((resolve) => child.once('close', (...how) => resolve(how)));
  for (const one of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(one, stop);
  if (signal) process.exit(0);
  if (code !== 0) {
    console.error(`${output}\nThe build failed.`);
    process.exit(1);
  }
  try {
    mkdirSync(dirname(STAMP), { recursive: true });
    writeFileSync(STAMP, String(count));
    utimesSync(STAMP, startedAt, startedAt);
  } catch {
    // A checkout that cannot be written to builds again at the next start.
  }
}
