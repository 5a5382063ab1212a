import { Injectable } from '@nestjs/common';

import { CostsJob } from '../queue/costs-job.js';
import { EditItemsRepository } from './edit-items.repository.js';
import type { EditItemClaim } from './prompt-edit.record.js';

/** Books what edits of prompts cost. */
@Injectable()
export class EditCostsJob extends CostsJob<EditItemClaim> {
  constructor(items: EditItemsRepository) {
    super(items);
  }
}
