import { EvaluationCreateDto } from '@hone/contracts';
import { toEvaluationVal } from '@hone/objects/content';
import { bodyTask } from '@hone/platform/body-task';

import { type SentVersion, toSentVersion } from '../typed-objects/sent-version.js';
import { readTask } from '../typed-objects/stored-version.js';
import { EVALUATION } from './evaluation.mapper.js';

export const TASK = bodyTask({
  type: EvaluationCreateDto,
  module: import.meta.url,
  digest: (body: EvaluationCreateDto, _issues, _sent, refScheme): SentVersion =>
    toSentVersion(EVALUATION.noun, { name: body.name, val: toEvaluationVal(body, refScheme) }, refScheme),
});

export const READ = readTask(EVALUATION, import.meta.url);
