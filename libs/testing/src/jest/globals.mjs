import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {}, rootDir: process.cwd() }, global: globalThis });

/**
 * What test files import from `@jest/globals`: Jest's own package works only in the runtime that Jest brings. Modules
 * cannot be mocked (see `native-runtime.mjs`).
 */
export const jest = {
  fn: (implementation) => mocker.fn(implementation),
  spyOn: (object, method, access) => mocker.spyOn(object, method, access),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: () => timers.useFakeTimers(),
  useRealTimers: () => timers.useRealTimers(),
  runAllTimers: () => timers.runAllTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  /** @param ms limit of each test of the file, instead of that of the configuration */
  setTimeout(ms) {
    globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = ms;
  },
};

/** Undoes what a test file left in force. */
export function restore() {
  timers.useRealTimers();
  mocker.restoreAllMocks();
}
