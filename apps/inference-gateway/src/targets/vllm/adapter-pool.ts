import type { Clock, Timer } from '../../shared/time/clock.js';
import type { HeldAdapter } from '../upstream.js';
import { AdapterError } from './adapter.errors.js';
import { type Adapter, isAdapterName } from './adapter.js';
import type { AdapterFolder } from './adapter-folder.js';
import type { AdapterLoader } from './adapter-loader.js';
import { AdapterSlots } from './adapter-slots.js';

/** Absent -> loading -> probing -> ready -> draining -> absent. */
type AdapterState = 'absent' | HeldState;
/** The states of an adapter that has a slot. */
export type HeldState = HeldAdapter['state'];

interface Entry {
  readonly adapter: Adapter;
  state: AdapterState;
  /** Rises with each load: what a request knows of an earlier one says nothing about this one. */
  generation: number;
  /** Attempts under way. */
  running: number;
  usedMs: number;
  loadedMs: number;
  /** Null: none is under way. */
  loading: Promise<void> | null;
  unloading: Promise<void> | null;
  /** Called when no attempt is under way any longer. */
  onIdle: (() => void) | null;
  /** The last load failed for good: it is not repeated before `untilMs`. */
  failed: { readonly error: AdapterError; readonly untilMs: number } | null;
}

/** An attempt's hold of a loaded adapter: it stays loaded until the attempt leaves it. */
export interface AdapterUse {
  /** To be called once, at the end of the attempt. */
  leave(): void;
  /** The server does not know the adapter: it was restarted. */
  reportLost(): void;
}

/** `lost`: the server was restarted; `failed`: a load. */
export type AdapterEvent = 'loaded' | 'failed' | 'unloaded' | 'lost';

export interface AdapterPoolOptions {
  readonly maxLoaded: number;
  readonly loadMs: number;
  /** @param error of a failed load */
  readonly onEvent: (event: AdapterEvent, error?: unknown) => void;
}

const RECONCILE_MS = 30_000;
const FAILED_MS = 30_000;
/** An adapter that nobody asks for leaves its server, and its files the shared folder. */
const IDLE_MS = 1_800_000;

/** The adapters in one server, as far as this process has loaded them: at most `maxLoaded` at once. */
export class AdapterPool {
  private readonly entries = new Map<string, Entry>();
  private readonly slots: AdapterSlots;
  private timer: Timer | null = null;
  /** Reconciliations run one after the other. */
  private reconciled: Promise<void> = Promise.resolve();
  /** Its upstream is no longer configured. */
  isClosed = false;

  constructor(
    private readonly loader: AdapterLoader,
    private readonly folder: AdapterFolder,
    private readonly options: AdapterPoolOptions,
    private readonly clock: Clock,
  ) {
    const hasFree = () => this.held().length < options.maxLoaded;
    this.slots = new AdapterSlots({ hasFree, evict: () => this.evict(), drain: () => this.drain() }, clock);
  }

  /** Requests for it need no load. */
  isReady(name: string): boolean {
    return this.entries.get(name)?.state === 'ready';
  }

  /** Null: the adapter must be loaded first, see {@link use}. */
  tryUse({ name }: Adapter): AdapterUse | null {
    const entry = this.entries.get(name);
    return entry?.state === 'ready' ? this.enter(entry) : null;
  }

  /** Loads the adapter if need be (single-flight). @throws AdapterError */
  async use(adapter: Adapter): Promise<AdapterUse> {
    const untilMs = this.clock.now() + this.options.loadMs;
    for (;;) {
      const use = this.tryUse(adapter);
      if (use !== null) return use;
      // Others took its slot between its load and this moment, again and again.
      if (this.clock.now() >= untilMs) throw noSlot();
      await this.load(this.entryOf(adapter));
    }
  }

  /** How many adapters of this process are in each state. */
  states(): Record<HeldState, number> {
    const states = { loading: 0, probing: 0, ready: 0, draining: 0 };
    for (const { state } of this.entries.values()) if (state !== 'absent') states[state]++;
    return states;
  }

  /** The adapters that have a slot, by when they were used last, the latest first. */
  list(): HeldAdapter[] {
    const entries = this.held().sort((left, right) => right.usedMs - left.usedMs);
    return entries.map(({ adapter: { modelId, step }, state, running }) => {
      return { modelId, step, state: state as HeldState, running };
    });
  }

  /** Nothing is loaded or unloaded from now on; running attempts go on. */
  close(): void {
    this.isClosed = true;
    this.timer?.cancel();
  }

  /**
   * Compares what the server has with what it should have: a lost adapter is loaded again at its next request, and one
   * that no gateway uses is unloaded. Marks the adapters of this process as used, and removes unused files.
   *
   * @throws AdapterError the server did not answer
   */
  reconcile(): Promise<void> {
    const run = this.reconciled.then(() => this.reconcileNow());
    this.reconciled = run.catch(() => undefined);
    return run;
  }

  private async reconcileNow(): Promise<void> {
    for (const { adapter } of this.held()) await this.folder.touch(adapter.name);
    this.forgetAbsent();
    await this.folder.sweep();
    const before = this.held()
      .filter(({ state }) => state === 'ready')
      .map((entry) => ({ entry, generation: entry.generation }));
    const listed = await this.loader.list();
    for (const { entry, generation } of before) if (!listed.has(entry.adapter.name)) this.lose(entry, generation);
    for (const name of listed) if (!this.entries.has(name)) await this.unloadOrphan(name);
    await this.unloadIdle();
  }

  private held(): Entry[] {
    return [...this.entries.values()].filter(({ state }) => state !== 'absent');
  }

  private entryOf(adapter: Adapter): Entry {
    const known = this.entries.get(adapter.name);
    if (known !== undefined) return known;
    const entry: Entry = {
      adapter,
      state: 'absent',
      generation: 0,
      running: 0,
      usedMs: this.clock.now(),
      loadedMs: 0,
      loading: null,
      unloading: null,
      onIdle: null,
      failed: null,
    };
    this.entries.set(adapter.name, entry);
    this.watch();
    return entry;
  }

  private enter(entry: Entry): AdapterUse {
    const { generation } = entry;
    const leaveCheckpoint = entry.adapter.checkpoint.enter();
    entry.running++;
    entry.usedMs = this.clock.now();
    return {
      leave: () => {
        leaveCheckpoint();
        entry.running--;
        entry.usedMs = this.clock.now();
        if (entry.running > 0) return;
        entry.onIdle?.();
        this.slots.advance();
      },
      reportLost: () => this.lose(entry, generation),
    };
  }

  /** @param generation the load that was lost; a later one is not */
  private lose(entry: Entry, generation: number): void {
    if (entry.state !== 'ready' || entry.generation !== generation) return;
    entry.state = 'absent';
    this.options.onEvent('lost');
    this.slots.advance();
  }

  private load(entry: Entry): Promise<void> {
    entry.loading ??= this.loadNow(entry).finally(() => {
      entry.loading = null;
      // Loaded ahead of requests, it is idle already.
      if (entry.running === 0) setImmediate(() => this.slots.advance());
    });
    return entry.loading;
  }

  private async loadNow(entry: Entry): Promise<void> {
    if (entry.failed !== null && this.clock.now() < entry.failed.untilMs) throw entry.failed.error;
    await entry.unloading;
    const hasSlot = await this.slots.acquire(this.options.loadMs, () => (entry.state = 'loading'));
    if (!hasSlot) throw noSlot();
    try {
      await this.loader.load(entry.adapter, {
        makeRoom: async () => (await this.evict()) ?? undefined,
        onLoaded: () => (entry.state = 'probing'),
      });
    } catch (error) {
      this.fail(entry, error);
    }
    Object.assign(entry, { state: 'ready', failed: null, loadedMs: this.clock.now(), usedMs: this.clock.now() });
    entry.generation++;
    this.options.onEvent('loaded');
  }

  private fail(entry: Entry, error: unknown): never {
    entry.state = 'absent';
    this.options.onEvent('failed', error);
    this.slots.advance();
    if (error instanceof AdapterError && error.isLasting) {
      entry.failed = { error, untilMs: this.clock.now() + FAILED_MS };
    }
    throw error;
  }

  /** Unloads the least recently used of the idle adapters. Null: none is idle. */
  private evict(): Promise<void> | null {
    const idle = this.held().filter(({ state, running }) => state === 'ready' && running === 0);
    const [oldest] = idle.sort((left, right) => left.usedMs - right.usedMs);
    return oldest === undefined ? null : this.unload(oldest);
  }

  /** The adapter that has had its slot for longest takes no new requests, and leaves when it is idle. */
  private drain(): void {
    if (this.held().some(({ state }) => state === 'draining')) return;
    const [oldest] = this.held()
      .filter(({ state }) => state === 'ready')
      .sort((left, right) => left.loadedMs - right.loadedMs);
    if (oldest !== undefined) void this.unload(oldest);
  }

  /** It takes no new requests; those under way end first. */
  private unload(entry: Entry): Promise<void> {
    entry.state = 'draining';
    entry.unloading ??= this.unloadNow(entry);
    return entry.unloading;
  }

  private async unloadNow(entry: Entry): Promise<void> {
    if (entry.running > 0) await new Promise<void>((resolve) => (entry.onIdle = resolve));
    // Where this fails, the server is gone, or it keeps one more than it should until it is reconciled.
    await this.loader.unload(entry.adapter.name).catch(() => undefined);
    Object.assign(entry, { state: 'absent', unloading: null, onIdle: null });
    this.options.onEvent('unloaded');
    this.slots.advance();
  }

  private async unloadOrphan(name: string): Promise<void> {
    if (!isAdapterName(name) || (await this.folder.isUsed(name)) || this.entries.has(name)) return;
    await this.loader.unload(name);
    this.options.onEvent('unloaded');
  }

  private async unloadIdle(): Promise<void> {
    const isIdle = ({ state, running, usedMs }: Entry) =>
      state === 'ready' && running === 0 && this.clock.now() - usedMs >= IDLE_MS;
    for (const entry of this.held().filter(isIdle)) await this.unload(entry);
  }

  private forgetAbsent(): void {
    for (const [name, { state, running, loading, failed }] of this.entries) {
      const isFailed = failed !== null && this.clock.now() < failed.untilMs;
      if (state === 'absent' && running === 0 && loading === null && !isFailed) this.entries.delete(name);
    }
  }

  private watch(): void {
    if (this.timer !== null || this.isClosed) return;
    this.timer = this.clock.after(RECONCILE_MS, () => {
      // A server that does not answer is compared the next time.
      void this.reconcile()
        .catch(() => undefined)
        .finally(() => {
          this.timer = null;
          this.watch();
        });
    });
  }
}

const noSlot = (): AdapterError =>
  new AdapterError({ reason: 'no_slot', message: 'All slots for adapters of the upstream are taken.' }, false);
