import { isJsonObject, type JsonValue } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { ScorerReader } from '../scorers/scorer-reader.service.js';
import { ScorerNotDefinedError, ScorerNotFoundError } from '../scorers/scorers.errors.js';
import { scoreMetric } from './assembly/score-numbers.js';

/** Different scorers that are looked up; those beyond may be judges. */
const MAX_SCORERS = 100;

/** Tells scores of Hone's checks from those that may be a judge's. */
@Injectable()
export class ComparedScorers {
  constructor(private readonly scorers: ScorerReader) {}

  /**
   * Metrics whose scores are all of checks, in every run that has them.
   *
   * @param maps lists of maps of a score's name to its scorer, or to null where nobody knows it, as JSON
   */
  async findChecks(project: OwnProject, maps: readonly string[]): Promise<string[]> {
    const refsOf = new Map<string, Set<JsonValue | undefined>>();
    for (const text of maps)
      for (const map of JSON.parse(text) as JsonValue[]) {
        if (!isJsonObject(map)) continue;
        for (const name of Object.keys(map)) refsOf.set(name, (refsOf.get(name) ?? new Set()).add(map[name]));
      }
    const refs = [...new Set([...refsOf.values()].flatMap((of) => [...of]))].slice(0, MAX_SCORERS);
    const checks = new Set<JsonValue | undefined>();
    for (const ref of refs) if (typeof ref === 'string' && (await this.isCheck(project, ref))) checks.add(ref);
    return [...refsOf].filter(([, of]) => [...of].every((ref) => checks.has(ref))).map(([name]) => scoreMetric(name));
  }

  private async isCheck(project: OwnProject, ref: string): Promise<boolean> {
    try {
      return (await this.scorers.find(project, ref)).definition.kind === 'check';
    } catch (error) {
      if (error instanceof ScorerNotFoundError || error instanceof ScorerNotDefinedError) return false;
      throw error;
    }
  }
}
