import { setImmediate } from 'node:timers/promises';

import { EngineError } from '../../errors.js';
import { countParameters } from '../../model/config/tensor-shapes.js';
import { DecodeFailedError } from './batch.errors.js';
import { DecodeBatch, type Row } from './decode-batch.js';
import { GenerationJob, type GenerationSink } from './generation-job.js';
import type { GenerationRequest } from './generation-request.js';
import { JobQueue } from './job-queue.js';
import { Prefill } from './prefill.js';
import type { ServedModel } from './served-model.js';

export interface SchedulerLimits {
  /** Choices that decode concurrently. */
  readonly maxRows: number;
  /** Token budget of all KV caches together. A choice that exceeds it by itself decodes alone. */
  readonly maxCacheTokens: number;
  /** Most prompt tokens prefilled between two decode steps: bounds how long running answers pause. */
  readonly promptTokensPerTurn: number;
}

/** A submitted request. */
export interface SubmittedJob {
  /** Ends the answer within one token. */
  abort(): void;
  /** While paused, its choices keep their slots in the batch and sample no tokens. */
  pause(isPaused: boolean): void;
}

const SMALLEST_CAPACITY = 64;
/** Parameters times prompt tokens of one turn, about a second of a CPU: large models prefill fewer tokens per turn. */
const MAX_WORK_PER_TURN = 2e10;
const MIN_TOKENS_PER_TURN = 16;
/** How long a decode step waits for constraints to answer proposals; what takes longer misses the next step. */
const ANSWER_MS = 1;

/**
 * Continuous batching: requests join and leave the decode batches at every token. A turn prefills a chunk of the
 * queued prompts, then runs one decode step of every batch. Each checkpoint has batches of its own.
 */
export class Scheduler {
  private readonly queue = new JobQueue();
  private readonly prefills: { prefill: Prefill; choices: number }[] = [];
  private batches: DecodeBatch[] = [];
  private reservedRows = 0;
  private reservedTokens = 0;
  private arrivals = 0;
  private wake: () => void = () => undefined;

  constructor(private readonly limits: SchedulerLimits) {}

  /**
   * Queues a request.
   *
   * @throws EmptyPromptError
   * @throws ContextLengthError
   * @throws UnknownTokenError
   */
  submit(request: GenerationRequest, model: ServedModel, sink: GenerationSink): SubmittedJob {
    const job = new GenerationJob(request, model, this.arrivals++, sink);
    this.queue.add(job);
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

  /** Rows that decode, and jobs that wait for one. */
  get load(): { rows: number; waitingJobs: number } {
    return { rows: this.batches.reduce((sum, batch) => sum + batch.rows.length, 0), waitingJobs: this.queue.length };
  }

  /**
   * One turn. A failure goes to the sink of the request that it concerns; this method never throws.
   *
   * @returns false when the scheduler is idle until {@link whenWoken}
   */
  async turn(): Promise<boolean> {
    this.purge();
    this.admit();
    const hasPrefilled = await this.runPrefills();
    const hasChosen = this.chooseHeld();
    const hasStepped = await this.step();
    return hasPrefilled || hasChosen || hasStepped || this.canAdmit();
  }

  /** Resolves at the next request, abort or mask. Call it before {@link turn}, so that no wake-up is missed. */
  whenWoken(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }

  private admit(): void {
    for (let job = this.queue.first(); job !== null && this.canAdmit(); job = this.queue.first()) {
      const prefill = this.prefills.find((entry) => entry.prefill.job === job);
      this.reserve(job, 1);
      if (job.predictions !== null) this.startChoice(job);
      else if (prefill !== undefined) prefill.choices += 1;
      else this.prefills.push({ prefill: new Prefill(job), choices: 1 });
      const promised = this.prefills.find((entry) => entry.prefill.job === job)?.choices ?? 0;
      if (job.isOver || job.waitingChoices - promised === 0) this.queue.removeFirst();
    }
  }

  /** First come, first served: small requests never starve a large one at the head of the queue. */
  private canAdmit(): boolean {
    const job = this.queue.first();
    if (job === null || this.reservedRows >= this.limits.maxRows) return false;
    const tokens = this.reservedTokens + capacityFor(job.tokensPerChoice, job);
    return this.reservedRows === 0 || tokens <= this.limits.maxCacheTokens;
  }

  private reserve(job: GenerationJob, sign: 1 | -1): void {
    this.reservedRows += sign;
    this.reservedTokens += sign * capacityFor(job.tokensPerChoice, job);
  }

  private async runPrefills(): Promise<boolean> {
    let left = this.tokensPerTurn();
    const hasWork = this.prefills.length > 0;
    while (left > 0 && this.prefills.length > 0) {
      const entry = this.prefills[0] as (typeof this.prefills)[number];
      const { job } = entry.prefill;
      try {
        left -= await entry.prefill.run(left);
      } catch (error) {
        job.fail(toEngineError(error));
      }
      if (!job.isOver && job.predictions === null) continue;
      this.prefills.shift();
      for (let index = 0; index < entry.choices; index += 1) {
        if (job.isOver) this.reserve(job, -1);
        else this.startChoice(job);
      }
    }
    return hasWork;
  }

  private tokensPerTurn(): number {
    const [next] = this.prefills;
    if (next === undefined) return 0;
    const affordable = MAX_WORK_PER_TURN / countParameters(next.prefill.job.model.base.config);
    return Math.min(this.limits.promptTokensPerTurn, Math.max(MIN_TOKENS_PER_TURN, Math.floor(affordable)));
  }

  /** Adds a row for one more choice of a prefilled job; its slot is reserved already. */
  private startChoice(job: GenerationJob): void {
    try {
      const choice = job.startChoice();
      const row: Row = { job, choice, length: job.readTokens, nextId: null, held: job.predictions };
      this.batchFor(job.model, row.length).add(row, job.pieces);
      choice.constraint?.whenReady(() => this.wake());
      if (job.waitingChoices === 0) job.pieces = [];
    } catch (error) {
      job.fail(toEngineError(error));
      this.reserve(job, -1);
    }
  }

  /** Samples tokens whose logit masks have arrived meanwhile, or that need none. */
  private chooseHeld(): boolean {
    let hasChosen = false;
    for (const batch of [...this.batches]) {
      for (const row of [...batch.rows]) {
        if (row.held === null || !isReady(row)) continue;
        const { logProbabilities, logPartition } = row.held;
        row.held = null;
        this.choose(batch, row, logProbabilities, logPartition);
        hasChosen = true;
      }
    }
    return hasChosen;
  }

  private async step(): Promise<boolean> {
    let hasStepped = false;
    for (const batch of [...this.batches]) this.moveFullRows(batch);
    for (const batch of this.batches) {
      if (!batch.rows.some((row) => row.nextId !== null)) continue;
      hasStepped = true;
      try {
        const stepped = await batch.step();
        await this.awaitMasks(stepped);
        for (const { row, logProbabilities, logPartition } of stepped) {
          if (isReady(row)) this.choose(batch, row, logProbabilities, logPartition);
          else row.held = { logProbabilities: logProbabilities.slice(), logPartition };
        }
      } catch (error) {
        for (const row of [...batch.rows]) this.drop(batch, row, toEngineError(error));
      }
    }
    this.batches = this.batches.filter((batch) => batch.rows.length > 0);
    return hasStepped;
  }

  /** Lets the event loop deliver the masks that arrived while the decoder ran, then waits for answers to proposals. */
  private async awaitMasks(stepped: Awaited<ReturnType<DecodeBatch['step']>>): Promise<void> {
    const proposed = stepped.filter(({ row, logProbabilities, logPartition }) =>
      row.choice.propose(logProbabilities, logPartition),
    );
    if (stepped.some(({ row }) => !isReady(row))) await setImmediate();
    const untilMs = performance.now() + ANSWER_MS;
    while (proposed.some(({ row }) => !isReady(row)) && performance.now() < untilMs) await setImmediate();
  }

  private choose(batch: DecodeBatch, row: Row, logProbabilities: Float32Array, logPartition: number): void {
    const { constraint } = row.choice;
    if (row.job.isOver) return this.drop(batch, row);
    if (constraint?.failure) return this.drop(batch, row, constraint.failure);
    try {
      const { id, events } = row.choice.next(logProbabilities, logPartition);
      row.job.emit(events);
      if (events.at(-1)?.kind === 'finish') return this.drop(batch, row);
      row.nextId = id;
      row.choice.constrain(id);
      constraint?.whenReady(() => this.wake());
    } catch (error) {
      this.drop(batch, row, toEngineError(error));
    }
  }

  private drop(batch: DecodeBatch, row: Row, error?: Error): void {
    batch.remove(row);
    row.choice.constraint?.close();
    this.reserve(row.job, -1);
    if (error !== undefined) row.job.fail(error);
  }

  private purge(): void {
    this.queue.purge();
    for (const batch of this.batches) {
      for (const row of batch.rows.filter(({ job }) => job.isOver)) this.drop(batch, row);
    }
    this.batches = this.batches.filter((batch) => batch.rows.length > 0);
    for (const entry of this.prefills.filter(({ prefill }) => prefill.job.isOver)) {
      this.prefills.splice(this.prefills.indexOf(entry), 1);
      for (let index = 0; index < entry.choices; index += 1) this.reserve(entry.prefill.job, -1);
    }
  }

  private moveFullRows(batch: DecodeBatch): void {
    for (const row of batch.rows.filter(({ length }) => length === batch.capacity)) {
      this.batchFor(row.job.model, row.length).adopt(row, batch);
    }
  }

  /** The batch for a row that holds `length` tokens and decodes one more. */
  private batchFor(model: ServedModel, length: number): DecodeBatch {
    const capacity = capacityOf(length + 1, model.base.contextLength);
    const found = this.batches.find(
      (batch) => batch.model.runner.group === model.runner.group && batch.capacity === capacity,
    );
    if (found !== undefined) return found;
    const batch = new DecodeBatch(model, capacity);
    this.batches.push(batch);
    return batch;
  }
}

function isReady({ job, choice }: Row): boolean {
  if (job.isPaused) return false;
  return choice.constraint === null || choice.constraint.mask !== null || choice.constraint.failure !== null;
}

function capacityFor(tokens: number, job: GenerationJob): number {
  return capacityOf(tokens, job.model.base.contextLength);
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
