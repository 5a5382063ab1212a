import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface State {
  restore(): void;
}
const { ProcessState } = (await import(join(import.meta.dirname, 'process-state.mjs'))) as {
  ProcessState: new () => State;
};
const OPEN_TELEMETRY = Symbol.for('opentelemetry.js.api.1');
const globals = globalThis as unknown as Record<PropertyKey, unknown>;

describe('what a test file changed in its process', () => {
  it('is undone: the environment, the folder, global functions and the installed OpenTelemetry SDK', () => {
    process.env['HONE_SPEC_CHANGED'] = 'before';
    const { fetch } = globalThis;
    const { exit } = process;
    const folder = process.cwd();
    const state = new ProcessState();

    process.env['HONE_SPEC_ADDED'] = 'yes';
    process.env['HONE_SPEC_CHANGED'] = 'after';
    process.chdir(tmpdir());
    process.exit = (() => undefined) as never;
    globalThis.fetch = (() => undefined) as never;
    globals[OPEN_TELEMETRY] = { trace: {} };
    state.restore();

    expect(process.env['HONE_SPEC_ADDED']).toBeUndefined();
    expect(process.env['HONE_SPEC_CHANGED']).toBe('before');
    expect(process.cwd()).toBe(folder);
    expect(process.exit).toBe(exit);
    expect(globalThis.fetch).toBe(fetch);
    expect(globals[OPEN_TELEMETRY]).toBeUndefined();
    delete process.env['HONE_SPEC_CHANGED'];
  });

  it('stays where it is new and a package’s own: packages are loaded once', () => {
    const own = Symbol.for('hone.spec.package');
    const state = new ProcessState();
    globals[own] = 1;
    state.restore();
    expect(globals[own]).toBe(1);
    delete globals[own];
  });
});
