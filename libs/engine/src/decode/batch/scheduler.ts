import { setImmediate } from 'node:timers/promises';

import { EngineError } from '../../errors.js';
import { countParameters } from '../../model/tensor-shapes.js';

import { DecodeFailedError } from './batch.errors.js';
import { GenerationJob, type GenerationSink } from './generation-job.js';
import type { GenerationRequest } from './generation-request.js';
import { PromptReader } from './prompt-reader.js';
import { type Row, RowGroup } from './row-group.js';
import type { ServedModel } from './served-model.js';
import { WaitingJobs } from './waiting-jobs.js';

export interface SchedulerLimits {
  /** Choices that decode at once. */
  readonly maxRows: number;
  /** Tokens that the caches of all of them may come to hold. A single choice may need more: then it decodes alone. */
  readonly maxCacheTokens: number;
  /** Most prompt tokens read between two decoding steps: running answers pause no longer than that takes. */
  readonly promptTokensPerTurn: number;
}

/** A request that was taken in. */
export interface SubmittedJob {
  /** Nobody waits for the answer any more: it ends within one token. */
  abort(): void;
  /** Its choices keep their places and choose no tokens as long as it is paused. */
  pause(isPaused: boolean): void;
}

const SMALLEST_CAPACITY = 64;
/** Parameters times prompt tokens of one turn: a second or so of a CPU. Large models read fewer tokens per turn. */
const MAX_WORK_PER_TURN = 2e10;
const MIN_TOKENS_PER_TURN = 16;

/**
 * Decodes many requests together: at every token answers join and leave. A turn reads a piece of the prompts that
 * wait, then one token of every running choice. Choices of different checkpoints take turns within the step.
 */
export class Scheduler {
  private readonly waiting = new WaitingJobs();
  private readonly readers: { reader: PromptReader; choices: number }[] = [];
  private groups: RowGroup[] = [];
  private reservedRows = 0;
  private reservedTokens = 0;
  private arrivals = 0;
  private wake: () => void = () => undefined;

  constructor(private readonly limits: SchedulerLimits) {}

  /**
   * Takes a request in.
   *
   * @throws EmptyPromptError
   * @throws ContextLengthError
   * @throws UnknownTokenError
   */
  submit(request: GenerationRequest, model: ServedModel, sink: GenerationSink): SubmittedJob {
    const job = new GenerationJob(request, model, this.arrivals++, sink);
    this.waiting.add(job);
    this.wake();
    return {
      abort: () => {
        job.isOver = true;
        this.wake();
      },
      pause: (isPaused) => {
        job.isPaused = isPaused;
        this.wake();
      },
    };
  }

  /** Rows that decode, and choices that wait for one. */
  get load(): { rows: number; waitingJobs: number } {
    return { rows: this.groups.reduce((sum, group) => sum + group.rows.length, 0), waitingJobs: this.waiting.length };
  }

  /**
   * One turn. Failures are told to the requests they concern; it never throws.
   *
   * @returns false when there is nothing to do until {@link whenWoken}
   */
  async turn(): Promise<boolean> {
    this.purge();
    this.admit();
    const hasRead = await this.readPrompts();
    const hasChosen = this.chooseHeld();
    const hasStepped = await this.step();
    return hasRead || hasChosen || hasStepped || this.canAdmit();
  }

  /** Resolves at the next request, abort or mask. Ask before finding that there is nothing to do. */
  whenWoken(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }

  private admit(): void {
    for (let job = this.waiting.first(); job !== null && this.canAdmit(); job = this.waiting.first()) {
      const reader = this.readers.find((entry) => entry.reader.job === job);
      this.reserve(job, 1);
      if (job.predictions !== null) this.startChoice(job);
      else if (reader !== undefined) reader.choices += 1;
      else this.readers.push({ reader: new PromptReader(job), choices: 1 });
      const promised = this.readers.find((entry) => entry.reader.job === job)?.choices ?? 0;
      if (job.isOver || job.waitingChoices - promised === 0) this.waiting.removeFirst();
    }
  }

  /** Strictly in order: a large request at the head is not overtaken for ever by small ones. */
  private canAdmit(): boolean {
    const job = this.waiting.first();
    if (job === null || this.reservedRows >= this.limits.maxRows) return false;
    const tokens = this.reservedTokens + capacityFor(job.tokensPerChoice, job);
    return this.reservedRows === 0 || tokens <= this.limits.maxCacheTokens;
  }

  private reserve(job: GenerationJob, sign: 1 | -1): void {
    this.reservedRows += sign;
    this.reservedTokens += sign * capacityFor(job.tokensPerChoice, job);
  }

  private async readPrompts(): Promise<boolean> {
    let left = this.tokensPerTurn();
    const hasWork = this.readers.length > 0;
    while (left > 0 && this.readers.length > 0) {
      const entry = this.readers[0] as (typeof this.readers)[number];
      const { job } = entry.reader;
      try {
        left -= await entry.reader.read(left);
      } catch (error) {
        job.fail(toEngineError(error));
      }
      if (!job.isOver && job.predictions === null) continue;
      this.readers.shift();
      for (let index = 0; index < entry.choices; index += 1) {
        if (job.isOver) this.reserve(job, -1);
        else this.startChoice(job);
      }
    }
    return hasWork;
  }

  private tokensPerTurn(): number {
    const [next] = this.readers;
    if (next === undefined) return 0;
    const affordable = MAX_WORK_PER_TURN / countParameters(next.reader.job.model.base.decoder.config);
    return Math.min(this.limits.promptTokensPerTurn, Math.max(MIN_TOKENS_PER_TURN, Math.floor(affordable)));
  }

  /** A row for one more choice of a job whose prompt is read; its place is reserved. */
  private startChoice(job: GenerationJob): void {
    try {
      const choice = job.startChoice();
      const row: Row = { job, choice, length: job.readTokens, nextId: null, held: job.predictions };
      this.groupFor(job.model, row.length).add(row, job.pieces);
      choice.constraint?.whenReady(() => this.wake());
      if (job.waitingChoices === 0) job.pieces = [];
    } catch (error) {
      job.fail(toEngineError(error));
      this.reserve(job, -1);
    }
  }

  /** Chooses tokens whose masks have come meanwhile, or that need none. */
  private chooseHeld(): boolean {
    let hasChosen = false;
    for (const group of [...this.groups]) {
      for (const row of [...group.rows]) {
        if (row.held === null || !isReady(row)) continue;
        const { logProbabilities, logPartition } = row.held;
        row.held = null;
        this.choose(group, row, logProbabilities, logPartition);
        hasChosen = true;
      }
    }
    return hasChosen;
  }

  private async step(): Promise<boolean> {
    let hasStepped = false;
    for (const group of [...this.groups]) this.moveFullRows(group);
    for (const group of this.groups) {
      if (!group.rows.some((row) => row.nextId !== null)) continue;
      hasStepped = true;
      try {
        const stepped = await group.step();
        // Masks that came while the decoder ran are delivered only when the thread gets back to its events.
        if (stepped.some(({ row }) => !isReady(row))) await setImmediate();
        for (const { row, logProbabilities, logPartition } of stepped) {
          if (isReady(row)) this.choose(group, row, logProbabilities, logPartition);
          else row.held = { logProbabilities: logProbabilities.slice(), logPartition };
        }
      } catch (error) {
        for (const row of [...group.rows]) this.drop(group, row, toEngineError(error));
      }
    }
    this.groups = this.groups.filter((group) => group.rows.length > 0);
    return hasStepped;
  }

  private choose(group: RowGroup, row: Row, logProbabilities: Float32Array, logPartition: number): void {
    const { constraint } = row.choice;
    if (row.job.isOver) return this.drop(group, row);
    if (constraint?.failure) return this.drop(group, row, constraint.failure);
    try {
      const { id, events } = row.choice.next(logProbabilities, logPartition);
      row.job.emit(events);
      if (events.at(-1)?.kind === 'finish') return this.drop(group, row);
      row.nextId = id;
      constraint?.accept(id);
      constraint?.whenReady(() => this.wake());
    } catch (error) {
      this.drop(group, row, toEngineError(error));
    }
  }

  private drop(group: RowGroup, row: Row, error?: Error): void {
    group.remove(row);
    row.choice.constraint?.close();
    this.reserve(row.job, -1);
    if (error !== undefined) row.job.fail(error);
  }

  private purge(): void {
    this.waiting.purge();
    for (const group of this.groups) {
      for (const row of group.rows.filter(({ job }) => job.isOver)) this.drop(group, row);
    }
    this.groups = this.groups.filter((group) => group.rows.length > 0);
    for (const entry of this.readers.filter(({ reader }) => reader.job.isOver)) {
      this.readers.splice(this.readers.indexOf(entry), 1);
      for (let index = 0; index < entry.choices; index += 1) this.reserve(entry.reader.job, -1);
    }
  }

  private moveFullRows(group: RowGroup): void {
    for (const row of group.rows.filter(({ length }) => length === group.capacity)) {
      this.groupFor(group.model, row.length).adopt(row, group);
    }
  }

  /** The group for a row that holds `length` tokens and is to read one more. */
  private groupFor(model: ServedModel, length: number): RowGroup {
    const capacity = capacityOf(length + 1, model.base.decoder.contextLength);
    const found = this.groups.find((group) => group.model === model && group.capacity === capacity);
    if (found !== undefined) return found;
    const group = new RowGroup(model, capacity);
    this.groups.push(group);
    return group;
  }
}

function isReady({ job, choice }: Row): boolean {
  if (job.isPaused) return false;
  return choice.constraint === null || choice.constraint.mask !== null || choice.constraint.failure !== null;
}

function capacityFor(tokens: number, job: GenerationJob): number {
  return capacityOf(tokens, job.model.base.decoder.contextLength);
}

/** 64, 128, 256, ...: few sizes, so that rows of about one length decode together. Always a multiple of 64. */
function capacityOf(tokens: number, contextLength: number): number {
  let capacity = SMALLEST_CAPACITY;
  while (capacity < tokens) capacity *= 2;
  return Math.min(capacity, Math.ceil(contextLength / SMALLEST_CAPACITY) * SMALLEST_CAPACITY);
}

function toEngineError(error: unknown): EngineError {
  return error instanceof EngineError ? error : new DecodeFailedError(error);
}
