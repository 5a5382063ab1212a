import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { chat } from '../cli/chat.js';
import { describeFolder } from '../cli/info.js';
import { EngineError } from '../errors.js';
import { findBaseModel } from '../model/index.js';

const USAGE = `Usage:
  npm run engine -- chat "<question>" [--model <id or folder>] [--checkpoint <folder>] [--system <text>]
                         [--temperature <number, default 0>] [--max-tokens <n>] [--seed <n>]
  npm run engine -- info [<folder of a model or a checkpoint>]

Models: hone-tiny, and those that npm run models lists.`;

const BUNDLED = join(import.meta.dirname, '../../../../models');

/** @returns the exit status: 2 for a command that cannot be understood, 1 for one that failed */
async function main(): Promise<number> {
  const parsed = parse();
  const [command, argument] = parsed?.positionals ?? [];
  if (parsed === null || (command !== 'chat' && command !== 'info')) return refuse();
  try {
    const { values } = parsed;
    if (command === 'info') {
      console.log(await describeFolder(resolve(argument ?? (await folderOf('hone-tiny')))));
      return 0;
    }
    if (argument === undefined) return refuse();
    const options = {
      model: await folderOf(values.model),
      checkpoint: values.checkpoint === undefined ? null : resolve(values.checkpoint),
      system: values.system ?? null,
      temperature: Number(values.temperature),
      maxTokens: values['max-tokens'] === undefined ? null : Number(values['max-tokens']),
      seed: BigInt(values.seed ?? Math.floor(Math.random() * 2 ** 32)),
    };
    await chat(argument, options, (text) => process.stdout.write(text));
    console.log();
    return 0;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    console.error(`${error.code}: ${error.message}`);
    return 1;
  }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        model: { type: 'string', default: 'hone-tiny' },
        checkpoint: { type: 'string' },
        system: { type: 'string' },
        temperature: { type: 'string', default: '0' },
        'max-tokens': { type: 'string' },
        seed: { type: 'string' },
      },
    });
  } catch (error) {
    console.error((error as Error).message);
    return null;
  }
}

function refuse(): number {
  console.error(USAGE);
  return 2;
}

/** A model by its id or its folder. */
function folderOf(model: string): Promise<string> {
  const isPath = model.startsWith('.') || model.startsWith('/');
  return findBaseModel(isPath ? resolve(model) : model, {
    bundledDir: BUNDLED,
    modelsDir: process.env.HONE_MODELS_DIR || join(process.env.HONE_DATA_DIR || '.hone', 'models'),
    allowPaths: true,
  });
}

process.exitCode = await main();
