import { DomainError } from '@hone/platform';

/** Unknown. */
export class BiasReportNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'bias_report.not_found';
  constructor(id: string) {
    super(`There is no bias report '${id}'.`);
  }
}

/** Probes compare verdicts with those that are there. Nothing was stored. */
export class NothingToProbeError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'bias_report.nothing_to_probe';
  constructor(least: number) {
    super(
      `Fewer than ${least} of the calls are judged by this version of the scorer: judge some first, or ask for no probes.`,
    );
  }
}

/** Others take their turn: a report reads thousands of calls. */
export class BiasReportsBusyError extends DomainError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'server.busy';
  override readonly headers = { 'retry-after': '10' };
  constructor() {
    super('Other bias reports are being computed; try again.');
  }
}
