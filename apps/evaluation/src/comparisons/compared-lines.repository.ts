import type { JudgeTruthDto } from '@hone/contracts';
import { Database, type Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { labelOf } from '../truth/label.sql.js';
import type { ReadLabels } from './compared-lines.sql.js';
import { ComparisonTooLargeError } from './comparisons.errors.js';

/** Bytes of all lines of a kind. */
const MAX_BYTES = 67_108_864;
/** Bytes of all maps of scorers: the service parses them between other requests. */
const MAX_SCORERS_BYTES = 1_048_576;
/** Texts that are fetched together. */
const BATCH_CHUNKS = 4;

interface Chunk {
  text: string;
  /** Maps of a score's name to its scorer, as JSON; null: none is known. */
  scorers?: string | null;
}

/** Texts of `TrialLine`s, and different lists of maps of a score's name to its scorer. */
export interface TrialTexts {
  readonly texts: string[];
  /** None where these are too many, so that nobody knows whose the scores are. */
  readonly scorers: string[];
}

/** Reads what is compared, as texts that a thread parses. */
@Injectable()
export class ComparedLines {
  constructor(private readonly database: Database) {}

  /** @param query of {@link toTrialLines}. @throws ComparisonTooLargeError */
  async trials(query: Prisma.Sql): Promise<TrialTexts> {
    const scorers = new Set<string>();
    const texts = await this.read(query, (chunk) => {
      if (chunk.scorers) scorers.add(chunk.scorers);
    });
    const bytes = [...scorers].reduce((sum, { length }) => sum + length, 0);
    return { texts, scorers: bytes > MAX_SCORERS_BYTES ? [] : [...scorers] };
  }

  /** Texts of `LabelLine`s. @throws ComparisonTooLargeError */
  async labels(
    project: OwnProject,
    truths: readonly JudgeTruthDto[],
    queryOf: (labels: ReadLabels) => Prisma.Sql,
  ): Promise<string[]> {
    const texts: string[] = [];
    const at = { projectId: project.id, projectRowId: project.rowId };
    for (const [index, truth] of truths.entries()) {
      const labels = { ...at, truth: index, feedbackType: truth.feedback_type, label: labelOf(truth) };
      texts.push(...(await this.read(queryOf(labels))));
      if (texts.reduce((sum, text) => sum + text.length, 0) > MAX_BYTES)
        throw ComparisonTooLargeError.ofBytes(MAX_BYTES);
    }
    return texts;
  }

  /** @param query of `text`. @throws ComparisonTooLargeError */
  async read(query: Prisma.Sql, seen: (chunk: Chunk) => void = () => undefined): Promise<string[]> {
    const texts: string[] = [];
    let bytes = 0;
    await this.database.stream<Chunk>(query, { batchRows: BATCH_CHUNKS }, (chunks) => {
      for (const chunk of chunks) {
        bytes += chunk.text.length + (chunk.scorers?.length ?? 0);
        if (bytes > MAX_BYTES) throw ComparisonTooLargeError.ofBytes(MAX_BYTES);
        texts.push(chunk.text);
        seen(chunk);
      }
      return Promise.resolve();
    });
    return texts;
  }
}
