/**
 * Work that may be done in this thread or in another one. The module that makes a task exports it as `TASK`, and imports
 * little: every thread that runs the task loads the module.
 */
export interface Task<Input, Output> {
  /** `import.meta.url` of that module. */
  readonly module: string;
  /** Name of the export, where the module has several tasks. Default `TASK`. */
  readonly name?: string;
  /** Input and output travel between threads by structured clone; of an error, the name, the message and the stack do. */
  run(input: Input): Output | Promise<Output>;
}
