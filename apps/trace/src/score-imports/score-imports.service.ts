import { setImmediate as nextTurn } from 'node:timers/promises';

import { AccessDeniedError, hasRole, ownProjectOf, type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import {
  type LangfuseEventsResultDto,
  type LangfuseScoreResultDto,
  parseProjectId,
  type ScoreImportDto,
  type ScoreImportResultDto,
  valueIssue,
} from '@hone/contracts';
import { newId } from '@hone/database';
import type { SentFeedback } from '@hone/feedback';
import { RefScheme, type RequestBody, ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { PayloadTooLargeError } from '../feedback/feedback.errors.js';
import { MAX_PAYLOAD_BYTES } from '../feedback/feedback-drafter.js';
import { EarlyScores } from './early-scores.service.js';
import type { ImportedScore, ReadScore } from './imported-score.js';
import { toScoreFeedback } from './score-feedback.js';
import { ScoreOutcomes, toEventsResult } from './score-outcomes.js';
import { ScoreReader } from './score-reader.service.js';
import { ScoreTargetsRepository } from './score-targets.repository.js';
import { ScoreWriter } from './score-writer.service.js';

/** Scores that are stored together. */
const CHUNK = 500;
const NO_CALL = 'There is no call of its trace in the project.';
const TOO_LARGE = `Its payload has more than ${MAX_PAYLOAD_BYTES} bytes.`;
const FORBIDDEN = "It is there with other content, and another's.";
const UNSTORABLE = 'The database does not take its content.';

/** A score, and the call that it is about. */
interface Placed {
  readonly score: ImportedScore;
  readonly callId: string;
}

/** A request that is being answered. */
interface Answering {
  readonly author: Principal;
  readonly grant: ProjectGrant;
  readonly outcomes: ScoreOutcomes;
}

/** Takes scores of other tools: they become feedback about the calls that their spans became. */
@Injectable()
export class ScoreImportsService {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: ScoreReader,
    private readonly targets: ScoreTargetsRepository,
    private readonly early: EarlyScores,
    private readonly writer: ScoreWriter,
    private readonly scheme: RefScheme,
  ) {}

  /** Stores scores of an export. @throws ValidationError, AccessDeniedError */
  async import(author: Principal, body: ScoreImportDto, left: AbortSignal): Promise<ScoreImportResultDto> {
    const grant = await this.grantOf(author, body.project_id);
    const answering = { author, grant, outcomes: new ScoreOutcomes() };
    const read = await this.reader.readExport(body, left);
    await inChunks(read, answering.outcomes, async (scores) => {
      const calls = grant.rowId === null ? [] : await this.targets.find(grant.rowId, scores, true);
      const reject = (score: ImportedScore) => answering.outcomes.reject(NO_CALL, nameOf(score));
      await this.store(answering, withCalls(scores, calls, reject));
    });
    return answering.outcomes.toResult();
  }

  /**
   * Takes scores as SDKs of Langfuse send them. Those whose call is not there yet wait for it.
   *
   * @param project that a header names; undefined: that of the key
   * @throws AccessDeniedError; of one score alone ValidationError, PayloadTooLargeError, WaitingScoresFullError
   */
  async send(
    author: Principal,
    body: RequestBody,
    project: string | undefined,
    left: AbortSignal,
  ): Promise<LangfuseScoreResultDto> {
    const found = await this.grantOf(author, project ?? ownProjectOf(author));
    const { isList, scores: read } = await this.reader.readSent(body, left);
    const outcomes = new ScoreOutcomes();
    const ids = await this.take({ author, grant: found, outcomes }, read);
    const { errors, refusal } = outcomes;
    const [first] = errors;
    if (!isList && first !== undefined) throw refusal ?? new ValidationError([valueIssue(first.reason, ['body'])]);
    if (!isList) return { id: ids[0] as string };
    if (errors.length === 0) return { message: 'Accepted' };
    const rejected = errors.length;
    return { accepted: read.length - rejected, rejected, errors: errors.map(({ reason: message }) => ({ message })) };
  }

  /** Takes the scores among events of SDKs of Langfuse before version 5, as {@link send} does. @throws AccessDeniedError */
  async ingest(
    author: Principal,
    body: RequestBody,
    project: string | undefined,
    left: AbortSignal,
  ): Promise<LangfuseEventsResultDto> {
    const grant = await this.grantOf(author, project ?? ownProjectOf(author));
    const events = await this.reader.readEvents(body, left);
    const outcomes = new ScoreOutcomes();
    await this.take(
      { author, grant, outcomes },
      events.flatMap(({ score }) => score ?? []),
    );
    return toEventsResult(events, outcomes);
  }

  /** @returns the scores' own ids, or those of their feedback */
  private async take({ author, grant: found, outcomes }: Answering, read: readonly ReadScore[]): Promise<string[]> {
    const ids: string[] = [];
    await inChunks(read, outcomes, async (scores) => {
      if (scores.length === 0) return;
      const grant = { ...found, rowId: await this.access.rowIdFor(author, found) };
      ids.push(...(await this.place({ author, grant, outcomes }, grant.rowId, scores)));
    });
    return ids;
  }

  /** @returns the scores' own ids, or those of their feedback */
  private async place(answering: Answering, projectRowId: string, scores: ImportedScore[]): Promise<string[]> {
    const known = scores.map((score) => ({ ...score, id: score.id ?? newId() }));
    const calls = await this.targets.find(projectRowId, known, false);
    const early: ImportedScore[] = [];
    await this.store(
      answering,
      withCalls(known, calls, (score) => early.push(score)),
    );
    const fitting = early.filter((score) => this.feedbackOf(answering, { score, callId: score.id as string }) !== null);
    await this.keep(answering, projectRowId, fitting);
    return known.map(({ id }) => id);
  }

  private async keep({ author, grant, outcomes }: Answering, projectRowId: string, scores: ImportedScore[]) {
    const { entity } = parseProjectId(grant.projectId) as { entity: string };
    const replacesAll = hasRole(this.access.roleOn(author, entity), 'writer');
    const sender = { projectRowId, svcUserId: author.userId, replacesAll };
    const { taken, full } = await this.early.keep(sender, scores);
    for (const score of full.scores) outcomes.reject(full.error.message, nameOf(score), full.error);
    for (const score of taken) rejectForbidden({ author, grant, outcomes }, nameOf(score));
  }

  private async store(answering: Answering, placed: readonly Placed[]): Promise<void> {
    const { author, outcomes } = answering;
    const records = new Map<string, { record: SentFeedback; name: string }>();
    for (const one of placed) {
      const record = this.feedbackOf(answering, one);
      // Of scores with one id the last one counts.
      if (record) records.set(record.id as string, { record, name: nameOf(one.score) });
    }
    const all = [...records.values()];
    const written = await this.writer.write(
      author,
      all.map(({ record }) => record),
    );
    for (const [at, outcome] of written.entries()) {
      const { name } = all[at] as { name: string };
      if (outcome === 'forbidden') rejectForbidden(answering, name);
      else if (outcome === 'unstorable') outcomes.reject(UNSTORABLE, name);
      else outcomes.count(outcome);
    }
  }

  /** Null: it is too large. */
  private feedbackOf({ grant, outcomes }: Answering, { score, callId }: Placed): SentFeedback | null {
    const record = toScoreFeedback(score, grant.projectId, callId, this.scheme.name);
    const { payloadBytes } = record;
    if (payloadBytes <= MAX_PAYLOAD_BYTES) return record;
    outcomes.reject(TOO_LARGE, nameOf(score), new PayloadTooLargeError(payloadBytes, MAX_PAYLOAD_BYTES));
    return null;
  }

  private async grantOf(author: Principal, projectId: string): Promise<ProjectGrant> {
    return this.access.grantWrite(author, 'trace', projectId, 'annotator');
  }
}

/** Deals with scores chunk by chunk, and rejects what is none. Other requests have their turn in between. */
async function inChunks(
  read: readonly ReadScore[],
  outcomes: ScoreOutcomes,
  deal: (scores: ImportedScore[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < read.length; at += CHUNK) {
    const chunk = read.slice(at, at + CHUNK);
    await deal(
      chunk.flatMap((one, index) =>
        'problem' in one ? outcomes.reject(one.problem, one.id ?? String(at + index)) : [one],
      ),
    );
    await nextTurn();
  }
}

function rejectForbidden({ grant, outcomes }: Answering, name: string): void {
  const { entity } = parseProjectId(grant.projectId) as { entity: string };
  outcomes.reject(FORBIDDEN, name, AccessDeniedError.needsRole('writer', entity));
}

const nameOf = ({ id, name }: ImportedScore): string => id ?? name;

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
