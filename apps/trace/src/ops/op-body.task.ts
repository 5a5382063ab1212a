import { OpCreateDto } from '@hone/contracts';
import { bodyTask } from '@hone/platform/body-task';

import { type SentVersion, toSentVersion } from '../typed-objects/sent-version.js';
import { readTask } from '../typed-objects/stored-version.js';
import { OP, OP_VAL } from './op.mapper.js';

export const TASK = bodyTask({
  type: OpCreateDto,
  module: import.meta.url,
  digest: ({ name, source_code: sourceCode }: OpCreateDto, _issues, _sent, refScheme): SentVersion =>
    toSentVersion(OP.noun, { name, val: OP_VAL, sourceCode: sourceCode ?? '' }, refScheme),
});

export const READ = readTask(OP, import.meta.url);
