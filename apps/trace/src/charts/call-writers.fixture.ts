import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '@hone/testing/until';
import fc from 'fast-check';

import { PROJECT } from '../testing/bodies.fixture.js';
import { aDrawnCall, callOf, DRAWN_MS, upsertOf } from './chart-draws.fixture.js';
import type { ChartModel, ModelCall } from './chart-model.fixture.js';

/** Between the writes of one writer, so that jobs have something to do, and the model not too much. */
const REST_MS = 40;
const CALLS_PER_WRITE = 2;
const DRAWN = 500;
const MS = 777;
/** A writer changes only the last of its calls: hours that it has left are marked no more. */
const CHANGED = 20;
/** Generous: where the machine is busy, a service takes minutes to start. */
export const PATIENCE_MS = 300_000;
export const COLOURS = ['red', 'green', 'blue'];

/** Sends a request. Rejects: nobody knows whether it was carried out. */
type Send = (path: string, body: object) => Promise<{ status: number; json: unknown }>;

/**
 * Writers of calls whose service may die at any moment. Each does one thing after the other, and again what was not
 * answered: what is answered is in the model.
 */
export class CallWriters {
  /** Words of the inputs of each call. */
  readonly words = new Map<string, string[]>();
  /** Calls begin that many times of drawn calls later. */
  shift = 0;
  private readonly drawn = fc.sample(aDrawnCall, { numRuns: DRAWN, seed: 11 });
  private readonly lanes: Promise<void>[] = [];
  private isDone = false;

  constructor(
    private readonly model: ChartModel,
    private readonly send: Send,
  ) {}

  /** Writes calls in one request. */
  async write(name: string, count: number): Promise<ModelCall[]> {
    const calls = Array.from({ length: count }, (_, n): ModelCall => {
      const id = `${name}-${n}`;
      this.words.set(id, [`w${id.replaceAll('-', 'x')}`, COLOURS[this.words.size % COLOURS.length] as string]);
      const drawn = this.drawn[this.words.size % DRAWN] as (typeof this.drawn)[number];
      return callOf({ ...drawn, startedMs: drawn.startedMs + this.shift * DRAWN_MS }, id);
    });
    await this.upsert(...calls);
    this.model.calls.push(...calls);
    return calls;
  }

  start(writers: number): void {
    for (let n = 0; n < writers; n++) this.lanes.push(this.work(`k${n}`));
  }

  /** Resolves once all that was begun is answered. */
  async stop(): Promise<void> {
    this.isDone = true;
    await Promise.all(this.lanes);
  }

  private async work(name: string): Promise<void> {
    const mine: ModelCall[] = [];
    for (let n = 0; !this.isDone; n++) {
      mine.push(...(await this.write(`${name}-${n}`, CALLS_PER_WRITE)));
      const live = mine.slice(-CHANGED).filter(({ isDeleted }) => !isDeleted);
      await this.endLate(live.find(({ endedMs }) => endedMs === null));
      if (n % 3 === 0) await this.ask(live[n % live.length]);
      if (n % 4 === 0) await this.delete(live[(n * 7) % live.length]);
      await sleep(REST_MS);
    }
  }

  private async endLate(call: ModelCall | undefined): Promise<void> {
    if (!call) return;
    const ended = {
      ...{ endedMs: call.startedMs + MS, exception: null },
      usage: { large: { prompt_tokens: 3, completion_tokens: 2_000 } },
    };
    await this.upsert({ ...call, ...ended });
    Object.assign(call, ended);
  }

  /** A start that comes again, with other inputs. */
  private async ask(call: ModelCall | undefined): Promise<void> {
    if (!call) return;
    const [own, colour] = this.words.get(call.id) as [string, string];
    const words = [`${own}again`, COLOURS[(COLOURS.indexOf(colour) + 1) % COLOURS.length] as string];
    this.words.set(call.id, words);
    await this.upsert(call);
  }

  private async delete(call: ModelCall | undefined): Promise<void> {
    if (!call) return;
    await this.settle('/calls/delete', { project_id: PROJECT, call_ids: [call.id] });
    call.isDeleted = true;
  }

  private upsert(...calls: ModelCall[]): Promise<void> {
    const inputs = ({ id }: ModelCall) => ({ q: this.words.get(id)?.join(' ') });
    return this.settle('/call/upsert_batch', upsertOf(calls, inputs));
  }

  /** Sends until it is answered. */
  private async settle(path: string, body: object): Promise<void> {
    const answer = await until(() => this.send(path, body).catch(() => null), `an answer of ${path}`, PATIENCE_MS);
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.json)}`);
  }
}
