import { setImmediate } from 'node:timers/promises';

import type { CallSelection } from '@hone/call-queries';
import { MAX_SOURCE_CALLS, type TrainingDataKind } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { PREFERENCE_TYPE, readCandidate, type ReadingSettings } from './arranging/candidate.js';
import { digestOf } from './arranging/digest-of.js';
import type { Entry } from './arranging/entry.js';
import type { Spool } from './arranging/spool.js';
import { Skipped } from './skipped.js';
import { CallsSourceRepository } from './source/calls-source.repository.js';
import { TooManyCallsError } from './training-data.errors.js';

export interface CollectSettings extends ReadingSettings {
  /** Null: as many as may be. */
  readonly limit: number | null;
  /** Equal conversations are kept once. */
  readonly dedupe: boolean;
}

/** The calls of a body, as far as each of them may become a part of the data. */
export interface Collected {
  readonly entries: readonly Entry[];
  readonly spool: Spool;
  readonly skipped: Skipped;
  /** Calls that were read. */
  readonly calls: number;
}

/** Kinds that take better answers from corrections. */
const CORRECTED: ReadonlySet<TrainingDataKind> = new Set(['sft', 'distill', 'preference']);

/** Other requests wait no longer than this, and one call. */
const MAX_TURN_MS = 20;

/** Reads calls, one after another, into a spool. */
@Injectable()
export class Collector {
  constructor(private readonly calls: CallsSourceRepository) {}

  /** @throws TooManyCallsError, QueryTimeoutError */
  async collect(selection: CallSelection, settings: CollectSettings, spool: Spool): Promise<Collected> {
    const { limit, rules, kind, corrections, dedupe } = settings;
    const skipped = new Skipped();
    const entries: Entry[] = [];
    const seen = new Set<string>();
    let calls = 0;
    let turnMs = performance.now();
    const types = [
      ...rules.map(({ feedback_type: type }) => type ?? null),
      ...(kind === 'preference' ? [PREFERENCE_TYPE] : []),
    ];
    const options = {
      limit: limit ?? MAX_SOURCE_CALLS + 1,
      feedbackTypes: types.includes(null) ? null : types.filter((type) => type !== null),
      withCorrections: CORRECTED.has(kind) && corrections !== 'ignore',
    };
    await this.calls.read(selection, options, async (call) => {
      if (++calls > (limit ?? MAX_SOURCE_CALLS)) throw new TooManyCallsError();
      const candidate = readCandidate(call, settings);
      if (typeof candidate === 'string') skipped.add(candidate, call.id);
      else if (dedupe && isKnown(seen, candidate.text)) skipped.add('duplicate', call.id);
      else {
        const { text, question, correction, ...entry } = candidate;
        entries.push({
          ...entry,
          slot: await spool.add(text),
          question: question === null ? null : await spool.add(question),
          correction: correction === null ? null : { slot: await spool.add(correction), digest: digestOf(correction) },
          answer: question === null ? '' : digestOf(text),
        });
      }
      if (performance.now() - turnMs < MAX_TURN_MS) return;
      await setImmediate();
      turnMs = performance.now();
    });
    return { entries, spool, skipped, calls };
  }
}

function isKnown(seen: Set<string>, text: string): boolean {
  const digest = digestOf(text);
  return seen.size === seen.add(digest).size;
}
