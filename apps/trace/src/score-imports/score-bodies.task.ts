import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_SCORES,
  parseJsonBytes,
  type ScoreFormat,
  valueIssue,
} from '@hone/contracts';
import { CsvError, readCsv } from '@hone/contracts/csv';
import { outcomeOf, type ReadOutcome, toClonable, ValidationError } from '@hone/platform/body-task';
import type { Task } from '@hone/threads';

import { readEvent, type SentEvent } from './forms/langfuse-events.js';
import { readRows, readSent } from './forms/read-scores.js';
import type { EvidenceByName, ReadScore } from './imported-score.js';

const MAX_CELLS = 1_000_000;

/** Scores as a CSV file. */
export interface SentCsv {
  readonly format: ScoreFormat;
  readonly csv: string;
  readonly evidence: EvidenceByName;
}

/** Scores as SDKs send them. */
export interface SentScores {
  /** False: the body is one score alone. */
  readonly isList: boolean;
  readonly scores: readonly ReadScore[];
}

const module = import.meta.url;

/** Reads a CSV file. The scores are clonable. */
export const CSV: Task<SentCsv, ReadOutcome<unknown>> = {
  ...{ module, name: 'CSV' },
  run: (sent) => outcomeOf(() => toClonable(readCsvScores(sent))),
};

/** Reads the bytes of a body of `POST /api/public/scores`. {@link SentScores} are clonable. */
export const SENT: Task<Uint8Array, ReadOutcome<unknown>> = {
  ...{ module, name: 'SENT' },
  run: (bytes) => outcomeOf(() => toClonable(readSentScores(parseJsonBytes(bytes)))),
};

/** Reads the bytes of a body of `POST /api/public/ingestion`. {@link SentEvent} are clonable. */
export const EVENTS: Task<Uint8Array, ReadOutcome<unknown>> = {
  ...{ module, name: 'EVENTS' },
  run: (bytes) => outcomeOf(() => toClonable(readEvents(parseJsonBytes(bytes)))),
};

/** @throws ValidationError the text is no table, or has too many lines or scores */
function readCsvScores({ format, csv, evidence }: SentCsv): ReadScore[] {
  const rows = rowsOf(csv);
  if (rows.length > MAX_SCORES) throw refused(`Should have at most ${MAX_SCORES} lines`, 'csv');
  return [...readRows({ format, evidence, field: 'csv' }, rows)].flat();
}

function rowsOf(csv: string): JsonObject[] {
  try {
    return readCsv(csv, { maxCells: MAX_CELLS }).toRows() as JsonObject[];
  } catch (error) {
    if (error instanceof CsvError) throw refused(error.message, 'csv');
    throw error;
  }
}

/** @throws ValidationError there are too many */
function readSentScores(sent: JsonValue): SentScores {
  const isList = Array.isArray(sent);
  const list = isList ? sent : [sent];
  if (list.length > MAX_SCORES) throw refused(`A request has at most ${MAX_SCORES} scores`);
  return { isList, scores: list.map(readSent) };
}

/** @throws ValidationError there is no list of events, or it is too long */
function readEvents(sent: JsonValue): SentEvent[] {
  const batch = isJsonObject(sent) ? sent['batch'] : undefined;
  if (!Array.isArray(batch)) throw refused('Should be a list of events', 'batch');
  if (batch.length > MAX_SCORES) throw refused(`A request has at most ${MAX_SCORES} events`, 'batch');
  return batch.map(readEvent);
}

const refused = (sentence: string, ...field: string[]): ValidationError =>
  new ValidationError([valueIssue(sentence, ['body', ...field])]);
