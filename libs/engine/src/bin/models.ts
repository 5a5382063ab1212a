import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { TEMPLATE_NAMES } from '../cli/chat-templates.js';
import { type AddedModel, OwnModels, toSource } from '../cli/own-models.js';
import { ProgressLine } from '../cli/progress-line.js';
import { EngineError } from '../errors.js';
import { HubClient, type Pooling, POOLINGS } from '../model/index.js';

const USAGE = `Usage:
  npm run models -- add <file.gguf | folder | hub id> [--name <id>] [--chat-template <file | ${TEMPLATE_NAMES.join(' | ')}>]
      [--pooling <${POOLINGS.join(' | ')}>]
  npm run models -- list
  npm run models -- remove <id>

They are kept in HONE_MODELS_DIR (default: $HONE_DATA_DIR/models). A running Hone sees changes within seconds.
A model without a chat template answers chats and trains on them once it is added with --chat-template.
A model that embeds texts pools as its folder says, else by the mean: some, such as BGE, want --pooling cls.
A download that broke off goes on where it ended when it is added again.
HF_TOKEN opens models of the hub that are not public, HF_ENDPOINT names another hub.`;

/** @returns the exit status: 2 for a command that cannot be understood, 1 for one that failed */
async function main(): Promise<number> {
  const parsed = parse();
  if (parsed === null) return refuse();
  if (parsed.values.help) return help();
  const [command, argument] = parsed.positionals;
  const models = new OwnModels(modelsDir(), hub(), dataDir());
  try {
    if (command === 'list' && argument === undefined) await list(models);
    else if (command === 'add' && argument !== undefined) await add(models, argument, parsed.values);
    else if (command === 'remove' && argument !== undefined) await models.remove(argument);
    else return refuse();
    return 0;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    console.error(`${error.code}: ${error.message}`);
    return 1;
  }
}

/** Values of the command line; that of `pooling` has been checked. */
interface AddValues {
  readonly name?: string;
  readonly 'chat-template'?: string;
  readonly pooling?: string;
}

async function add(
  models: OwnModels,
  argument: string,
  { name, 'chat-template': chatTemplate, pooling }: AddValues,
): Promise<void> {
  const source = await toSource(argument);
  if (source.kind === 'hub') console.log(`Fetching ${source.id} from the hub.`);
  const added = await models.add(source, { id: name, chatTemplate, pooling: pooling as Pooling | undefined });
  const { id, files } = added;
  const what = describe(added);
  if (files.length === 1) console.log(`${id}: ${what}, sha256 ${files[0]?.sha256}`);
  else console.log([`${id}: ${what}`, ...files.map((file) => `sha256 ${file.sha256}  ${file.name}`)].join('\n'));
  if (added.kind === 'embedding') {
    console.log(`It answers at POST /v1/embeddings as "model": "${id}".`);
    if (!added.declaresPooling) console.log('Its folder does not say how to pool: see --pooling in the --help.');
    return;
  }
  if (added.hasChatTemplate) {
    console.log(`It answers at POST /v1/chat/completions as "model": "${id}", and can be trained as a base.`);
    return;
  }
  console.log(
    `It has no chat template: it refuses every chat, and trains on none, until it has one.
Remove it, and add it again with --chat-template ${TEMPLATE_NAMES.join(' | ')}, or a file of your own.`,
  );
}

function describe(added: AddedModel): string {
  if (added.kind === 'text') return `${(added.parameters / 1e6).toFixed(0)} million parameters`;
  const { dimensions, maxTokens, pooling } = added;
  return `embeddings of ${dimensions} numbers, texts of up to ${maxTokens} tokens, ${pooling} pooling`;
}

async function list(models: OwnModels): Promise<void> {
  const { ids, refused } = await models.list();
  for (const id of ids) console.log(id);
  for (const { id, reason } of refused) console.log(`${id}  cannot be loaded: ${reason}`);
  if (ids.length + refused.length === 0) console.log('None yet: npm run models -- add <file.gguf>');
}

const dataDir = (): string => resolve(process.env.HONE_DATA_DIR || '.hone');
const modelsDir = (): string => resolve(process.env.HONE_MODELS_DIR || join(dataDir(), 'models'));

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
    const options = {
      name: { type: 'string' },
      'chat-template': { type: 'string' },
      pooling: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    const parsed = parseArgs({ allowPositionals: true, options });
    const { pooling } = parsed.values;
    return pooling === undefined || POOLINGS.includes(pooling as Pooling) ? parsed : null;
  } catch (error) {
    console.error((error as Error).message);
    return null;
  }
}

function help(): number {
  console.log(USAGE);
  return 0;
}

function refuse(): number {
  console.error(USAGE);
  return 2;
}

process.exitCode = await main();
