/** `npm run improve`: makes a model better by its judged calls, against a Hone that runs. */
import { ConnectionError, Hone } from '@hone/client';

import { readTourConfig } from './config/tour.config.js';
import { readArguments, UsageError } from './improve/arguments.js';
import { improve } from './improve/improve.js';

const USAGE = `Usage, against a Hone that runs:
  npm run improve -- --model <name or id>   a model that is trained, or a base model, on which one is made

  --project <entity>/<project>   where the model and the calls are; default: the project of the model's id, else of the key
  --scorer <id>                  who judges the answers, once for each; default: the project's only scorer
  --alias <name>                 what names the current checkpoint, and the best one afterwards; default: production
  --thread <id>                  only calls of this thread are learnt from, once for each; default: all
  --teacher <model>              a stronger model, whose calls are learnt from, and which edits the prompt
  --prompt <id>                  a prompt that the models are asked with, and of which an edit is tried
  --dataset <name>               rows that the models are asked; default: a third of the prompts, held out of training
  --trials <n>                   times that each row is asked, 1 to 20; default: 1
  --max-tokens <n>               of each of these answers
  --temperature <t>              of each of these answers
  --minutes <n>                  after which what still trains is cancelled; default: 120
  --dry-run                      say what the calls allow, and start nothing

It ends with 0 if a checkpoint was promoted, 3 if the current one stays, 1 after an error, 2 if it was not understood.`;

try {
  const args = readArguments(process.argv.slice(2));
  const config = readTourConfig();
  process.exitCode = await improve(new Hone(config), config.baseUrl, args, (text) => console.log(text));
} catch (error) {
  const { message } = error as Error;
  console.error(error instanceof ConnectionError ? `${message}. Does Hone run there? HONE_URL says where.` : message);
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
