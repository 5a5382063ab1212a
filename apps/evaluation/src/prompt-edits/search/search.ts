import type { DroppedEdit } from '@hone/contracts';

import { drawOf } from '../../judged-calls/draw.js';
import type { BestEdit, EditItem, PromptEditJob } from '../prompt-edit.record.js';
import { drawn, paretoFront } from './pareto.js';
import { SearchScores } from './search-scores.js';

/** Edits of a job, also those that cost no answer since they were dropped at once. */
export const MAX_EDITS = 40;
/** Practice rows on which an edit has to be better than its parent first. */
const MINIBATCH = 4;
/** Edits in a row that are dropped at once, or that the reflection model does not answer, after which it is asked no more. */
const MAX_DROPPED_AT_ONCE = 5;
const MAX_UNANSWERED = 3;

/** What a job does next. */
export type SearchStep =
  | { readonly do: 'wait' }
  | { readonly do: 'ask'; readonly candidates: readonly number[]; readonly rows: readonly string[] }
  | { readonly do: 'edit'; readonly candidate: number; readonly parent: number }
  | { readonly do: 'end'; readonly best: Omit<BestEdit, 'digest'> | null; readonly isBetter: boolean }
  | { readonly do: 'fail'; readonly error: string };

const WAIT = { do: 'wait' } as const;

/**
 * The search for a better prompt. A parent is drawn among the prompts that are the best on some practice row; a model edits it after
 * reading where it failed; the edit is tried on a few practice rows, then on all. The best one meets the original on the held-out rows.
 * What is drawn follows from the seed, so that each process that goes on with a job goes on alike.
 */
export class Search {
  readonly scores: SearchScores;
  /** By the candidate that they are drawn for: its parent is known by then, and changes no more. */
  private readonly minibatches = new Map<number, readonly string[]>();

  constructor(
    private readonly job: Pick<PromptEditJob, 'plan' | 'seed' | 'maxEvaluations'>,
    items: readonly EditItem[],
  ) {
    this.scores = new SearchScores(job.plan, items);
  }

  next(): SearchStep {
    const { practice, heldOut } = this.job.plan;
    if (this.scores.hasOpen) return WAIT;
    if (!this.scores.hasAsked(0, practice)) return { do: 'ask', candidates: [0], rows: practice };
    const error = this.faultOfOriginal();
    if (error !== null) return { do: 'fail', error };
    if (this.scores.hasAsked(0, heldOut)) return this.end();
    const last = this.scores.edits.at(-1);
    return (last && this.goOnWith(last)) ?? this.edit() ?? this.decide();
  }

  /** Why a candidate was dropped; null: it was not, or it is not known yet. */
  droppedOf({ candidate, parent, state, code }: EditItem): DroppedEdit | null {
    if (state === 'failed') return 'unanswered';
    if (state === 'skipped') return code as DroppedEdit;
    if (state !== 'done') return null;
    const rows = this.minibatch(candidate, parent as number);
    return this.scores.isKnown(candidate, rows) && !this.isBetterOn(rows, candidate, parent as number) ? 'worse' : null;
  }

  /** Practice rows on which an edit is tried first, one of which its parent failed. */
  minibatch(candidate: number, parent: number): readonly string[] {
    const known = this.minibatches.get(candidate);
    if (known) return known;
    const { plan, seed } = this.job;
    const rows = plan.practice
      .map((row) => ({ row, draw: drawOf(`${seed}.${candidate}`, row) }))
      .sort((a, b) => a.draw - b.draw)
      .map(({ row }) => row);
    const some = rows.slice(0, MINIBATCH);
    const isFailure = (row: string): boolean => !this.scores.isPerfect(parent, row);
    const failure = rows.find(isFailure);
    const chosen = failure === undefined || some.some(isFailure) ? some : [failure, ...some.slice(1)];
    this.minibatches.set(candidate, chosen);
    return chosen;
  }

  /** Null: nothing is to be asked about it any more. */
  private goOnWith(edit: EditItem): SearchStep | null {
    const { candidate, parent } = edit;
    if (edit.state !== 'done') return null;
    const rows = this.minibatch(candidate, parent as number);
    if (!this.scores.hasAsked(candidate, rows)) return { do: 'ask', candidates: [candidate], rows };
    if (this.droppedOf(edit) !== null) return null;
    const others = this.job.plan.practice.filter((row) => this.scores.of(candidate, row) === undefined);
    return others.length > 0 ? { do: 'ask', candidates: [candidate], rows: others } : null;
  }

  /** Null: there is nothing to improve, or nothing is left to pay for it. */
  private edit(): SearchStep | null {
    const { plan, seed, maxEvaluations } = this.job;
    const { edits, asked } = this.scores;
    const room = maxEvaluations - asked - 2 * plan.heldOut.length;
    if (room < plan.practice.length || edits.length >= MAX_EDITS || this.isFruitless()) return null;
    const pool = this.pool();
    if (pool.some((id) => plan.practice.every((row) => this.scores.isPerfect(id, row)))) return null;
    const candidate = edits.length + 1;
    const rated = pool.map((id) => ({ id, gains: plan.practice.map((row) => this.scores.gain(id, row) ?? null) }));
    const parent = drawn(paretoFront(rated), drawOf(`${seed}.parent`, String(candidate))) ?? 0;
    return { do: 'edit', candidate, parent };
  }

  /** Whether the last edits say that no more will come of the reflection model. */
  private isFruitless(): boolean {
    const endsWith = (count: number, isMeant: (edit: EditItem) => boolean): boolean =>
      this.scores.edits.length >= count && this.scores.edits.slice(-count).every(isMeant);
    return (
      endsWith(MAX_UNANSWERED, ({ state }) => state === 'failed') ||
      endsWith(MAX_DROPPED_AT_ONCE, ({ state }) => state !== 'done')
    );
  }

  private decide(): SearchStep {
    const { practice, heldOut } = this.job.plan;
    const { edits } = this.scores;
    if (edits.length > 0 && edits.every(({ state }) => state === 'failed')) {
      const code = this.scores.codeOf(({ rowDigest }) => rowDigest === '');
      return { do: 'fail', error: `The reflection model answered nothing: ${code ?? 'nobody knows why'}.` };
    }
    let best: { id: number; gain: number } | null = null;
    for (const id of this.pool().slice(1)) {
      const gain = this.scores.compared(0, id, practice).gain ?? 0;
      if (gain > (best?.gain ?? 0)) best = { id, gain };
    }
    if (best === null) return { do: 'end', best: null, isBetter: false };
    return { do: 'ask', candidates: [0, best.id], rows: heldOut };
  }

  private end(): SearchStep {
    const { heldOut } = this.job.plan;
    const candidate = this.pool().find((id) => id > 0 && this.scores.hasAsked(id, heldOut)) as number;
    const { rows, means, gain } = this.scores.compared(0, candidate, heldOut);
    const [originalMean, editMean] = means;
    return { do: 'end', best: { candidate, rows, originalMean, editMean }, isBetter: gain !== null && gain > 0 };
  }

  /** The original, and edits that answered all practice rows. */
  private pool(): number[] {
    const { practice } = this.job.plan;
    const made = this.scores.edits.filter((edit) => edit.state === 'done' && this.droppedOf(edit) === null);
    return [0, ...made.map(({ candidate }) => candidate).filter((id) => this.scores.isKnown(id, practice))];
  }

  private isBetterOn(rows: readonly string[], candidate: number, parent: number): boolean {
    const { gain } = this.scores.compared(parent, candidate, rows);
    return gain !== null && gain > 0;
  }

  /** Null: there is something to improve on. */
  private faultOfOriginal(): string | null {
    const { metric, settings } = this.job.plan;
    const isOriginal = ({ candidate, scorer }: EditItem): boolean =>
      candidate === 0 && [0, metric.scorer].includes(scorer);
    if (this.scores.hasScore(0)) return null;
    const code = this.scores.codeOf(isOriginal) ?? 'nobody knows why';
    return this.scores.hasAnswer(0)
      ? `No answer has the score '${settings.metric}': ${code}.`
      : `No row was answered: ${code}.`;
  }
}
