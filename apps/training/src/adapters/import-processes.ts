import { StorageFullError, StorageUnavailableError } from '@hone/artifacts';
import { builtUrl } from '@hone/threads';
import { Inject, Injectable } from '@nestjs/common';

import { ChildProcesses } from '../child-processes/child-processes.js';
import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import { adapterInvalid, AdapterTooLargeError, BaseUnavailableError, ImportFailedError } from './adapter.errors.js';
import type { ImportOrder, ImportOutcome } from './import-messages.js';

const LIMIT_MS = 600_000;

/** What came of an order that was carried out. */
export type Imported = Extract<ImportOutcome, { status: 'imported' }>;

/** Checks and converts adapters in processes of their own, a few at once. */
@Injectable()
export class ImportProcesses {
  private readonly processes: ChildProcesses<ImportOrder, ImportOutcome>;

  constructor(@Inject(TRAINING_CONFIG) { largeBodyWaitMs: waitMs }: TrainingConfig) {
    const script = builtUrl(import.meta.url, 'import.child');
    this.processes = new ChildProcesses('import', { script, limitMs: LIMIT_MS, waitMs });
  }

  /**
   * @throws ValidationError, AdapterTooLargeError, BaseUnavailableError, StorageUnavailableError
   * @throws BodiesBusyError, ImportFailedError
   */
  async run(order: ImportOrder): Promise<Imported> {
    const outcome = await this.processes.run(order);
    switch (outcome?.status) {
      case 'imported':
        return outcome;
      case 'invalid':
        throw adapterInvalid(outcome.file, outcome.reason);
      case 'too_large':
        throw new AdapterTooLargeError(order.maxBytes);
      case 'base_unusable':
        throw new BaseUnavailableError(order.baseModel);
      case 'storage':
        throw outcome.isFull ? new StorageFullError() : new StorageUnavailableError();
      case undefined:
        throw new ImportFailedError();
    }
  }
}
