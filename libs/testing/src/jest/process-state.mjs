/** Global property in which every 1.x version of OpenTelemetry's API keeps the installed SDK. */
const OPEN_TELEMETRY = Symbol.for('opentelemetry.js.api.1');

/**
 * What a test file can change in the process that it shares with later files: the environment, the working directory,
 * `process.exit`, global functions such as `fetch`, and the installed OpenTelemetry SDK. Made before a test file is
 * loaded; {@link restore} brings the process back to that state. Global properties that are new stay: packages keep
 * there what they made when they were loaded, which happens once in a process.
 */
export class ProcessState {
  #environment = { ...process.env };
  #folder = process.cwd();
  #exit = process.exit;
  #globals = new Map(
    Reflect.ownKeys(globalThis).map((key) => [key, Reflect.getOwnPropertyDescriptor(globalThis, key)]),
  );

  restore() {
    process.exit = this.#exit;
    if (process.cwd() !== this.#folder) process.chdir(this.#folder);
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name];
    for (const [name, value] of Object.entries(this.#environment)) {
      if (process.env[name] !== value) process.env[name] = value;
    }
    for (const [key, before] of this.#globals) {
      if (isOther(before, Reflect.getOwnPropertyDescriptor(globalThis, key))) {
        Reflect.defineProperty(globalThis, key, before);
      }
    }
    if (!this.#globals.has(OPEN_TELEMETRY)) Reflect.deleteProperty(globalThis, OPEN_TELEMETRY);
  }
}

const isOther = (before, now) => before.value !== now?.value || before.get !== now?.get;
