import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { OwnModels, toSource } from '../cli/own-models.js';
import { ProgressLine } from '../cli/progress-line.js';
import { EngineError } from '../errors.js';
import { HubClient } from '../model/index.js';

const USAGE = `Usage:
  npm run models -- add <file.gguf | folder | hub id> [--name <id>]
  npm run models -- list
  npm run models -- remove <id>

They are kept in HONE_MODELS_DIR (default: $HONE_DATA_DIR/models). A running Hone sees changes within seconds.
A download that broke off goes on where it ended when it is added again.
HF_TOKEN opens models of the hub that are not public, HF_ENDPOINT names another hub.`;

/** @returns the exit status: 2 for a command that cannot be understood, 1 for one that failed */
async function main(): Promise<number> {
  const parsed = parse();
  if (parsed === null) return refuse();
  const [command, argument] = parsed.positionals;
  const models = new OwnModels(modelsDir(), hub());
  try {
    if (command === 'list' && argument === undefined) await list(models);
    else if (command === 'add' && argument !== undefined) await add(models, argument, parsed.values.name);
    else if (command === 'remove' && argument !== undefined) await models.remove(argument);
    else return refuse();
    return 0;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    console.error(`${error.code}: ${error.message}`);
    return 1;
  }
}

async function add(models: OwnModels, argument: string, name: string | undefined): Promise<void> {
  const source = await toSource(argument);
  if (source.kind === 'hub') console.log(`Fetching ${source.id} from the hub.`);
  const { id, parameters, digest } = await models.add(source, name);
  console.log(`${id}: ${(parameters / 1e6).toFixed(0)} million parameters, sha256 ${digest}`);
  console.log(`It answers at POST /v1/chat/completions as "model": "${id}", and can be trained as a base.`);
}

async function list(models: OwnModels): Promise<void> {
  const { ids, refused } = await models.list();
  for (const id of ids) console.log(id);
  for (const { id, reason } of refused) console.log(`${id}  cannot be loaded: ${reason}`);
  if (ids.length + refused.length === 0) console.log('None yet: npm run models -- add <file.gguf>');
}

const modelsDir = (): string =>
  resolve(process.env.HONE_MODELS_DIR || join(process.env.HONE_DATA_DIR || '.hone', 'models'));

function hub(): HubClient {
  const line = new ProgressLine(process.stderr);
  return new HubClient({
    baseUrl: process.env.HF_ENDPOINT || undefined,
    token: process.env.HF_TOKEN || null,
    onProgress: (progress) => line.show(progress),
  });
}

function parse() {
  try {
    return parseArgs({ allowPositionals: true, options: { name: { type: 'string' } } });
  } catch (error) {
    console.error((error as Error).message);
    return null;
  }
}

function refuse(): number {
  console.error(USAGE);
  return 2;
}

process.exitCode = await main();
