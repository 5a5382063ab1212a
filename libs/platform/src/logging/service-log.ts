import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

/** Loggers whose messages at the start are of no use, or are thrown as errors and logged elsewhere. */
const FRAMEWORK = new Set([
  'ExceptionHandler',
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** What is said through Nest's `Logger` goes to the service's own log, with the name of the class that said it. */
export class ServiceLog implements LoggerService {
  constructor(private readonly target: FastifyBaseLogger) {}

  log(message: unknown, ...more: unknown[]): void {
    this.write('info', message, more);
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.write('fatal', message, more);
  }

  error(message: unknown, ...more: unknown[]): void {
    this.write('error', message, more);
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.write('warn', message, more);
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }

  verbose(message: unknown, ...more: unknown[]): void {
    this.write('trace', message, more);
  }

  /** @param more what Nest adds: the context is the last of it */
  private write(
    level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace',
    message: unknown,
    more: unknown[],
  ): void {
    const context = more.at(-1);
    if (typeof context === 'string' && FRAMEWORK.has(context)) return;
    if (message instanceof Error) this.target[level]({ context, err: message }, message.message);
    else this.target[level]({ context }, String(message));
  }
}
