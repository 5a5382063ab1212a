import { CallSelector, type CompiledSelection } from '@hone/call-queries';
import { type CompareQueryDto, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { CallSetsRepository } from './call-sets.repository.js';
import type { CallSet } from './call-sets.sql.js';
import { refuseTwice } from './compared-names.js';
import type { ComparedSource } from './compared-source.js';
import { ComparisonTooLargeError } from './comparisons.errors.js';

const DEFAULT_LIMIT = 10_000;
/** Calls of all sets together. */
const MAX_CALLS = 100_000;

/** A set of calls as a body names it. */
export interface CompiledSet {
  readonly name: string;
  readonly limit: number;
  readonly selection: CompiledSelection;
}

/** Sets of live calls to compare, paired by what was asked. */
@Injectable()
export class CallSources {
  constructor(
    private readonly selector: CallSelector,
    private readonly sets: CallSetsRepository,
  ) {}

  /** @throws ValidationError a bad condition, or two sets of one name */
  compile({ project_id, calls }: Pick<CompareQueryDto, 'project_id' | 'calls'>): CompiledSet[] {
    const sets = calls ?? [];
    refuseTwice(
      sets.map(({ name }) => name),
      'Each set of calls should have a name of its own',
      (at) => ['calls', at, 'name'],
    );
    return sets.map(({ name, limit, filter, query }, at) => ({
      ...{ name, limit: limit ?? DEFAULT_LIMIT },
      selection: this.selector.compile({ project_id, filter, query }, ['body', 'calls', at, 'query']),
    }));
  }

  /** @throws ValidationError a call is of two sets; ComparisonTooLargeError, and what searches of words may throw */
  async open(project: OwnProject, compiled: readonly CompiledSet[]): Promise<ComparedSource> {
    const sets: CallSet[] = [];
    let room = MAX_CALLS;
    for (const { name, limit, selection } of compiled) {
      const meant = await this.selector.within(project.rowId, selection);
      const ids = await this.sets.find(meant, Math.min(limit, room + 1));
      if (ids.length > room) throw ComparisonTooLargeError.ofCalls(MAX_CALLS);
      room -= ids.length;
      sets.push({ name, ids });
    }
    assertApart(sets);
    return {
      described: sets.map(({ name }) => ({ id: name, name, dataset_rows: null, missing: null })),
      hasEnded: false,
      trials: () => this.sets.trials(project, sets),
      usage: (changes) => this.sets.usage(project, sets, changes),
      answers: () => this.sets.answers(project, sets),
      labels: (truths) => this.sets.labels(project, sets, truths),
      rows: (conditions) => this.sets.rows(project, sets, conditions),
    };
  }
}

/** @throws ValidationError a call is of two sets: what it says would count on both sides */
function assertApart(sets: readonly CallSet[]): void {
  const setOf = new Map<string, string>();
  for (const [at, { name, ids }] of sets.entries())
    for (const id of ids) {
      const other = setOf.get(id);
      if (other !== undefined)
        throw new ValidationError([valueIssue(`Call ${id} is also of '${other}'`, ['body', 'calls', at])]);
      setOf.set(id, name);
    }
}
