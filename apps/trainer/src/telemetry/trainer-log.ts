import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

interface Writes {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The log of the process: ids, counts and durations, never payloads. */
@Injectable()
export class TrainerLog implements Writes {
  constructor(private readonly host: HttpAdapterHost) {}

  info(fields: object, message: string): void {
    this.log.info(fields, message);
  }

  warn(fields: object, message: string): void {
    this.log.warn(fields, message);
  }

  /** `fields.err` with its stack. */
  error(fields: object, message: string): void {
    this.log.error(fields, message);
  }

  private get log(): Writes {
    return this.host.httpAdapter.getInstance<{ log: Writes }>().log;
  }
}
