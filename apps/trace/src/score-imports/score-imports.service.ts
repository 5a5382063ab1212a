import { setImmediate as nextTurn } from 'node:timers/promises';

import { ownProjectOf, type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import {
  check,
  type JsonObject,
  type JsonValue,
  LangfuseScoreDto,
  type LangfuseScoreResultDto,
  type ScoreImportDto,
  type ScoreImportResultDto,
  valueIssue,
} from '@hone/contracts';
import { CsvError, readCsv } from '@hone/contracts/csv';
import { newId } from '@hone/database';
import type { SentFeedback } from '@hone/feedback';
import { RefScheme, ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { MAX_PAYLOAD_BYTES } from '../feedback/feedback-drafter.js';
import { readLangfuse } from './forms/langfuse-form.js';
import { readMlflow } from './forms/mlflow-form.js';
import type { ImportedScore, ReadScore } from './imported-score.js';
import { feedbackIdOf, toScoreFeedback } from './score-feedback.js';
import { ScoreTargetsRepository } from './score-targets.repository.js';
import { ScoreWriter, type Written } from './score-writer.service.js';
import { Tally } from './tally.js';
import { WaitingScoresRepository } from './waiting-scores.repository.js';

export const MAX_SCORES = 10_000;
const MAX_CELLS = 1_000_000;
/** Scores that are read and stored together. */
const CHUNK = 500;
const NO_CALL = 'There is no call of its trace in the project.';
const TOO_LARGE = `Its payload has more than ${MAX_PAYLOAD_BYTES} bytes.`;
const FORBIDDEN = "It is there with other content, and another's.";

/** A score, the call that it is about, and what it was sent as. */
interface Placed {
  readonly score: ImportedScore;
  readonly callId: string;
}

/** Takes scores of other tools: they become feedback about the calls that their spans became. */
@Injectable()
export class ScoreImportsService {
  constructor(
    private readonly access: ProjectAccess,
    private readonly targets: ScoreTargetsRepository,
    private readonly waiting: WaitingScoresRepository,
    private readonly writer: ScoreWriter,
    private readonly scheme: RefScheme,
  ) {}

  /** Stores scores of an export. @throws ValidationError, AccessDeniedError */
  async import(author: Principal, body: ScoreImportDto): Promise<ScoreImportResultDto> {
    const rows = rowsOf(body);
    const grant = await this.grantOf(author, body.project_id);
    const read = body.format === 'langfuse' ? readLangfuse : readMlflow;
    const tally = new Tally();
    for (let at = 0; at < rows.length; at += CHUNK) {
      const found: ReadScore[] = rows.slice(at, at + CHUNK).flatMap((row) => read(row, body.evidence ?? {}));
      const scores = found.flatMap((one, index) =>
        'problem' in one ? tally.reject(one.problem, one.id ?? String(at + index)) : [one],
      );
      const calls = grant.rowId === null ? scores.map(() => null) : await this.targets.find(grant.rowId, scores, true);
      await this.store(
        author,
        grant,
        withCalls(scores, calls, (score) => tally.reject(NO_CALL, nameOf(score))),
        tally,
      );
      await nextTurn();
    }
    return tally.toResult();
  }

  /**
   * Takes scores as SDKs of Langfuse send them. Those whose call is not there yet wait for it.
   *
   * @param project that a header names; undefined: that of the key
   * @throws ValidationError one score alone is none; AccessDeniedError
   */
  async send(author: Principal, sent: JsonValue, project: string | undefined): Promise<LangfuseScoreResultDto> {
    const list = Array.isArray(sent) ? sent : [sent];
    if (list.length > MAX_SCORES) throw refused(`A request has at most ${MAX_SCORES} scores`);
    const grant = await this.grantOf(author, project ?? ownProjectOf(author));
    const tally = new Tally();
    const read = list.map(readSent);
    const scores = read.flatMap((one, at) =>
      'problem' in one ? tally.reject(one.problem, one.id ?? String(at)) : [one],
    );
    if (!Array.isArray(sent) && tally.errors[0] !== undefined) throw refused(tally.errors[0]);
    const ids = scores.length > 0 ? await this.place(author, grant, scores, tally) : [];
    if (!Array.isArray(sent)) return { id: ids[0] as string };
    if (tally.errors.length === 0) return { message: 'Accepted' };
    const rejected = tally.errors.length;
    return { accepted: list.length - rejected, rejected, errors: tally.errors.map((message) => ({ message })) };
  }

  /** @returns the scores' own ids, or those of their feedback */
  private async place(
    author: Principal,
    grant: ProjectGrant,
    scores: ImportedScore[],
    tally: Tally,
  ): Promise<string[]> {
    const projectRowId = await this.access.rowIdFor(author, grant);
    const known = scores.map((score) => (score.id === null ? { ...score, id: newId() } : score));
    const calls = await this.targets.find(projectRowId, known, false);
    const early: ImportedScore[] = [];
    const placed = withCalls(known, calls, (score) => early.push(score));
    await this.store(author, { ...grant, rowId: projectRowId }, placed, tally);
    const late = newestOfEach(early);
    if (late.length > 0) await this.waiting.add(projectRowId, author.userId, late.map(feedbackIdOf), late);
    return known.map(({ id }) => id as string);
  }

  private async store(
    author: Principal,
    { projectId }: ProjectGrant,
    placed: readonly Placed[],
    tally: Tally,
  ): Promise<void> {
    const records = new Map<string, { record: SentFeedback; name: string }>();
    for (const { score, callId } of placed) {
      const record = toScoreFeedback(score, projectId, callId, this.scheme.name);
      if (record.payloadBytes > MAX_PAYLOAD_BYTES) tally.reject(TOO_LARGE, nameOf(score));
      // Of scores with one id the last one counts.
      else records.set(record.id as string, { record, name: nameOf(score) });
    }
    const all = [...records.values()];
    const written: Written[] = await this.writer.write(
      author,
      all.map(({ record }) => record),
    );
    for (const [at, outcome] of written.entries())
      if (outcome === 'forbidden') tally.reject(FORBIDDEN, (all[at] as { name: string }).name);
      else tally.count(outcome);
  }

  private async grantOf(author: Principal, projectId: string): Promise<ProjectGrant> {
    const grants = await this.access.grantWrites(author, 'trace', [projectId], 'annotator', false);
    return grants.get(projectId) as ProjectGrant;
  }
}

/** A score as an SDK sends it. */
function readSent(sent: JsonValue): ReadScore {
  const [wrong] = check(LangfuseScoreDto, sent, []).issues;
  if (wrong) return { id: null, problem: [wrong.loc.join('.'), wrong.msg].filter(Boolean).join(': ') };
  return readLangfuse(sent as JsonObject, {});
}

const nameOf = ({ id, name }: ImportedScore): string => id ?? name;

const refused = (sentence: string): ValidationError => new ValidationError([valueIssue(sentence, ['body'])]);

function withCalls(
  scores: readonly ImportedScore[],
  calls: readonly (string | null)[],
  without: (score: ImportedScore) => unknown,
): Placed[] {
  return scores.flatMap((score, at) => {
    const callId = calls[at] ?? null;
    if (callId !== null) return [{ score, callId }];
    without(score);
    return [];
  });
}

function newestOfEach(scores: readonly ImportedScore[]): ImportedScore[] {
  return [...new Map(scores.map((score) => [feedbackIdOf(score), score])).values()];
}

/** @throws ValidationError neither, or both, are there; the text is no table */
function rowsOf({ scores, csv }: ScoreImportDto): JsonObject[] {
  if ((scores ?? null) === null && (csv ?? null) === null)
    throw refusedAt('scores', 'Should be given where csv is not');
  if ((scores ?? null) !== null && (csv ?? null) !== null) throw refusedAt('csv', 'Should be absent beside scores');
  if (scores) return scores as JsonObject[];
  try {
    const rows = readCsv(csv as string, { maxCells: MAX_CELLS }).toRows() as JsonObject[];
    if (rows.length > MAX_SCORES) throw refusedAt('csv', `Should have at most ${MAX_SCORES} lines`);
    return rows;
  } catch (error) {
    if (error instanceof CsvError) throw refusedAt('csv', error.message);
    throw error;
  }
}

const refusedAt = (field: string, sentence: string): ValidationError =>
  new ValidationError([valueIssue(sentence, ['body', field])]);
