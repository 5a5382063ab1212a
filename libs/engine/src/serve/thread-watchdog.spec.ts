import { type ThreadState, ThreadWatchdog } from './thread-watchdog.js';

const LIMIT_MS = 15_000;
const SECOND = 1_000;

describe('ThreadWatchdog', () => {
  let watchdog: ThreadWatchdog;
  let state: { -readonly [Key in keyof ThreadState]: ThreadState[Key] };
  let nowMs: number;
  beforeEach(() => {
    watchdog = new ThreadWatchdog(LIMIT_MS);
    state = { messages: 1, isLoading: false, cpuMs: 500 };
    nowMs = 0;
    watchdog.look(state, nowMs);
  });

  /** Looks once a second; the thread uses this part of a core. @returns the first reason to end it, and when */
  function watch(seconds: number, core: number): [string, number] | null {
    for (let second = 1; second <= seconds; second++) {
      if (state.cpuMs !== null) state.cpuMs += core * SECOND;
      const reason = watchdog.look(state, (nowMs += SECOND));
      if (reason !== null) return [reason, second];
    }
    return null;
  }

  it('ends a thread that computes for the limit without sending anything', () => {
    expect(watch(60, 1)).toEqual(['it has computed for 15000 ms without sending anything', 15]);
  });

  it('waits on a busy machine, where the thread gets a tenth of a core', () => {
    expect(watch(140, 0.1)).toBeNull();
    state.messages += 1;
    expect(watch(140, 0.1)).toBeNull();
  });

  it('ends a thread that stands still after four times the limit', () => {
    expect(watch(120, 0)).toEqual(['it has stood still for 60000 ms', 60]);
  });

  it('gives loading a model twenty times as long', () => {
    state.isLoading = true;
    expect(watch(299, 1)).toBeNull();
    expect(watch(1, 1)).toEqual(['it has computed for 300000 ms without sending anything', 1]);
  });

  it('begins anew with each message', () => {
    for (let round = 0; round < 10; round++) {
      expect(watch(14, 1)).toBeNull();
      state.messages += 1;
      watchdog.look(state, (nowMs += SECOND));
    }
  });

  it('does not count the time in which the process was frozen', () => {
    nowMs += 3_600 * SECOND;
    expect(watch(50, 0)).toBeNull();
  });

  it('goes by the clock alone where the system does not tell CPU times', () => {
    watchdog = new ThreadWatchdog(LIMIT_MS);
    state.cpuMs = null;
    watchdog.look(state, nowMs);
    expect(watch(120, 0)).toEqual(['it has sent nothing for 60000 ms', 60]);
  });

  it('gives a thread a minute to start', () => {
    watchdog = new ThreadWatchdog(LIMIT_MS);
    state = { messages: 0, isLoading: true, cpuMs: null };
    watchdog.look(state, nowMs);
    expect(watch(120, 0)).toEqual(['it has not started', 60]);
  });
});
