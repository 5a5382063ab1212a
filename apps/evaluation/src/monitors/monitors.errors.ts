import { DomainError } from '@hone/platform';

/** Unknown. */
export class MonitorNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'monitor.not_found';
  constructor(id: string) {
    super(`There is no monitor '${id}'.`);
  }
}

/** Another monitor of the project has the name. Nothing was stored. */
export class MonitorNameTakenError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'monitor.name_taken';
  constructor(name: string) {
    super(`The project has a monitor '${name}' already.`);
  }
}

/** As many as a project may have. Nothing was stored. */
export class TooManyMonitorsError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'monitor.too_many';
  constructor(limit: number) {
    super(`This project has ${limit} monitors, which is the limit; delete one.`);
  }
}
