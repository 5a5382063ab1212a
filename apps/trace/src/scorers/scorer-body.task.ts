import { definitionIssues, ScorerCreateDto } from '@hone/contracts';
import { bodyTask } from '@hone/platform/body-task';

import { type SentVersion, toSentVersion } from '../typed-objects/sent-version.js';
import { readTask } from '../typed-objects/stored-version.js';
import { SCORER, toScorerVal } from './scorer.mapper.js';

export const TASK = bodyTask({
  type: ScorerCreateDto,
  module: import.meta.url,
  digest(body: ScorerCreateDto, issues, _sent, refScheme): SentVersion {
    for (const issue of body.definition ? definitionIssues(body.definition) : [])
      issues.push({ ...issue, loc: ['body', 'definition', ...issue.loc] });
    return toSentVersion(
      SCORER.noun,
      { name: body.name, val: toScorerVal(body), sourceCode: body.op_source_code },
      refScheme,
    );
  },
});

export const READ = readTask(SCORER, import.meta.url);
