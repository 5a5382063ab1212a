import { ModuleMocker } from 'jest-mock';

const mocker = new ModuleMocker(globalThis);

/** What `@jest/globals` is in a test file: Jest's own package is filled in by the runtime that is not used here. */
export const jest = {
  fn: (implementation) => mocker.fn(implementation),
  spyOn: (object, method, access) => mocker.spyOn(object, method, access),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  /** @param ms limit of each test of the file, instead of that of the configuration */
  setTimeout(ms) {
    globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = ms;
  },
};
