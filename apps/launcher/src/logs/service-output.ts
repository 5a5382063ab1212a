import type { Readable } from 'node:stream';

import type { LogFile } from './log-file.js';

const WARN = 40;
const MAX_LINE = 300;
/** Lines of one process that are shown in one period; the rest is in its log. */
const SHOWN_PER_PERIOD = 10;
const PERIOD_MS = 10_000;
const MAX_COMPLAINTS = 10;
const LEVELS: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };

/**
 * Where the output of a service goes: its log to a file; warnings, errors and crashes also to the terminal, in short.
 * A plain line on standard output is a message to the operator (a new API key): the terminal gets it, the log does not.
 */
export class ServiceOutput {
  /** Plain lines on standard error until {@link started}: when a process ends before, they say why. */
  readonly complaints: string[] = [];
  private hasStarted = false;
  private shown = 0;
  private periodEnd = 0;

  constructor(
    private readonly service: string,
    private readonly log: LogFile,
    private readonly show: (line: string) => void,
  ) {}

  follow(stdout: Readable, stderr: Readable): void {
    eachLine(stdout, (line) => this.onLine(line, true));
    eachLine(stderr, (line) => this.onLine(line, false));
  }

  /** From now on complaints are shown as they come. */
  started(): void {
    this.hasStarted = true;
  }

  private onLine(line: string, isStdout: boolean): void {
    if (line === '') return;
    if (line.startsWith('{')) {
      this.log.write(`${line}\n`);
      const short = shortForm(line);
      if (short) this.showSome(short);
      return;
    }
    if (isStdout) return this.show(line);
    this.log.write(`${line}\n`);
    if (/^\s+at /.test(line)) return;
    if (this.hasStarted) this.showSome(line);
    else if (this.complaints.length < MAX_COMPLAINTS) this.complaints.push(line);
  }

  private showSome(line: string): void {
    if (Date.now() > this.periodEnd) {
      this.periodEnd = Date.now() + PERIOD_MS;
      this.shown = 0;
    }
    this.shown++;
    if (this.shown <= SHOWN_PER_PERIOD) this.show(`${this.service}: ${truncate(line)}`);
    else if (this.shown === SHOWN_PER_PERIOD + 1) this.show(`${this.service}: ... more in ${this.log.path}`);
  }
}

/** `<level>: <message> (<cause>)` of a log line at level warning or above; undefined for any other line. */
export function shortForm(line: string): string | undefined {
  if (!/^\{"level":[4-9]\d/.test(line)) return undefined;
  try {
    const { level, msg, err, reason } = JSON.parse(line) as Record<string, unknown>;
    if (typeof level !== 'number' || level < WARN) return undefined;
    const cause = (err as { message?: string } | undefined)?.message ?? reason;
    return `${LEVELS[level] ?? `level ${level}`}: ${String(msg ?? '')}${cause ? ` (${String(cause)})` : ''}`;
  } catch {
    return truncate(line);
  }
}

const truncate = (line: string): string => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}...` : line);

function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) onLine(line);
  });
  stream.on('end', () => onLine(rest));
}
