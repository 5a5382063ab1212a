import { setImmediate as nextTurn } from 'node:timers/promises';

import { type JsonObject, type ScoreImportDto, valueIssue } from '@hone/contracts';
import { BodyThreads, contentOf, fromClonable, isHeavy, type RequestBody, ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { SentEvent } from './forms/langfuse-events.js';
import { readRows } from './forms/read-scores.js';
import type { EvidenceByName, ReadScore } from './imported-score.js';
import { CSV, EVENTS, SENT, type SentScores } from './score-bodies.task.js';

/** Rows that are read before other requests have their turn. */
const ROWS_PER_TURN = 50;

/** Reads scores of bodies, large ones in other threads. */
@Injectable()
export class ScoreReader {
  constructor(private readonly threads: BodyThreads) {}

  /** @throws ValidationError neither list nor CSV, or both, are there; the text is no table; there are too many scores */
  async readExport({ scores, csv, format, evidence }: ScoreImportDto, left: AbortSignal): Promise<ReadScore[]> {
    const isThere = { scores: (scores ?? null) !== null, csv: (csv ?? null) !== null };
    if (!isThere.scores && !isThere.csv) throw refusedAt('scores', 'Should be given where csv is not');
    if (isThere.scores && isThere.csv) throw refusedAt('csv', 'Should be absent beside scores');
    const known = { format, evidence: evidence ?? {} };
    if (scores) return readInTurns({ ...known, field: 'scores' }, scores as JsonObject[]);
    const text = csv as string;
    const outcome = await this.threads.runUnlessLight(CSV, { ...known, csv: text }, text.length, { signal: left });
    return (await fromClonable(contentOf(outcome))) as ReadScore[];
  }

  /** @throws ValidationError the body is no JSON, or there are too many scores */
  async readSent(body: RequestBody, left: AbortSignal): Promise<SentScores> {
    return (await this.readBody(SENT, body, left)) as SentScores;
  }

  /** @throws ValidationError the body is no JSON, has no events, or too many */
  async readEvents(body: RequestBody, left: AbortSignal): Promise<SentEvent[]> {
    return (await this.readBody(EVENTS, body, left)) as SentEvent[];
  }

  private async readBody(task: typeof SENT, { jsonBytes }: RequestBody, left: AbortSignal): Promise<unknown> {
    const outcome = isHeavy(jsonBytes)
      ? await this.threads.run(task, jsonBytes, { signal: left })
      : await task.run(jsonBytes);
    return fromClonable(contentOf(outcome));
  }
}

async function readInTurns(
  form: { format: ScoreImportDto['format']; evidence: EvidenceByName; field: 'scores' },
  rows: readonly JsonObject[],
): Promise<ReadScore[]> {
  const found: ReadScore[] = [];
  let count = 0;
  for (const scores of readRows(form, rows)) {
    for (const score of scores) found.push(score);
    if (++count % ROWS_PER_TURN === 0) await nextTurn();
  }
  return found;
}

const refusedAt = (field: string, sentence: string): ValidationError =>
  new ValidationError([valueIssue(sentence, ['body', field])]);
