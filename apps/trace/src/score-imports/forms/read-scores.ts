import {
  check,
  isStorableText,
  type JsonObject,
  type JsonValue,
  LangfuseScoreDto,
  MAX_SCORES,
  type ScoreFormat,
  valueIssue,
} from '@hone/contracts';
import { ValidationError } from '@hone/platform/body-task';

import type { EvidenceByName, ReadScore } from '../imported-score.js';
import { storableScore } from '../storable-score.js';
import { readLangfuse } from './langfuse-form.js';
import { readMlflow } from './mlflow-form.js';

/** No id of a call is longer. */
const MAX_SUBJECT = 128;

/** Scores of an export, read row by row. @throws ValidationError of `field`: its rows have more scores than a request may have */
export function* readRows(
  { format, evidence, field }: { format: ScoreFormat; evidence: EvidenceByName; field: 'scores' | 'csv' },
  rows: readonly JsonObject[],
): Generator<ReadScore[]> {
  const read = format === 'langfuse' ? readLangfuse : readMlflow;
  let count = 0;
  for (const row of rows) {
    const found = [read(row, evidence)].flat().map(checked);
    count += found.length;
    if (count > MAX_SCORES)
      throw new ValidationError([valueIssue(`Should have at most ${MAX_SCORES} scores`, ['body', field])]);
    yield found;
  }
}

/** A score as an SDK sends it. */
export function readSent(sent: JsonValue): ReadScore {
  const [wrong] = check(LangfuseScoreDto, sent, []).issues;
  if (wrong) return { id: null, problem: [wrong.loc.join('.'), wrong.msg].filter(Boolean).join(': ') };
  return checked(readLangfuse(sent as JsonObject, {}));
}

function checked(score: ReadScore): ReadScore {
  if ('problem' in score) return score;
  const { id, traceId, spanId } = score;
  // Two ids could become one.
  if (id !== null && !isStorableText(id)) return { id, problem: 'An id has neither U+0000 nor unpaired surrogates.' };
  if ((traceId?.length ?? 0) > MAX_SUBJECT || (spanId?.length ?? 0) > MAX_SUBJECT)
    return { id, problem: `Ids of traces and spans have at most ${MAX_SUBJECT} characters.` };
  return storableScore(score);
}
