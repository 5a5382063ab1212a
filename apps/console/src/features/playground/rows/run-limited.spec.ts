import { runLimited } from './run-limited.js';

const gates = (count: number) =>
  Array.from({ length: count }, () => {
    let resolve: () => void = () => undefined;
    const promise = new Promise<void>((done) => (resolve = done));
    return { promise, resolve };
  });

describe('tasks of which few run at a time', () => {
  it('begin in order, each when another has ended', async () => {
    const begun: number[] = [];
    const open = gates(5);
    const tasks = open.map(({ promise }, at) => () => {
      begun.push(at);
      return promise;
    });
    const done = runLimited(tasks, 2, new AbortController().signal);
    expect(begun).toEqual([0, 1]);
    open[1]?.resolve();
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2]);
    for (const { resolve } of open) resolve();
    await done;
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('do not begin once they are cancelled', async () => {
    const begun: number[] = [];
    const cancelling = new AbortController();
    const tasks = [0, 1, 2].map((at) => async () => {
      begun.push(at);
      cancelling.abort();
      await Promise.resolve();
    });
    await runLimited(tasks, 1, cancelling.signal);
    expect(begun).toEqual([0]);
  });

  it('are none, or throw', async () => {
    await runLimited([], 3, new AbortController().signal);
    const failing = runLimited([() => Promise.reject(new Error('no'))], 3, new AbortController().signal);
    await expect(failing).rejects.toThrow('no');
  });
});
