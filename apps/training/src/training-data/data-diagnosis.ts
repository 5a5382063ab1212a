import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FolderFile, TempFolder } from '@hone/artifacts';
import type { DiagnosisDto, TrainingDataKind } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { DiagnosisTooLargeError } from '../diagnosis/diagnosis.errors.js';
import { DiagnosisService } from '../diagnosis/diagnosis.service.js';
import { BodiesBusyError } from '../http/large-bodies/large-bodies.errors.js';
import type { ModelRecord } from '../models/model.record.js';

/** Larger files are judged when their job is planned. */
const MAX_BYTES = 64 * 1_048_576;

/** What the planner of jobs would make of new data. */
@Injectable()
export class DataDiagnosis {
  constructor(private readonly diagnoses: DiagnosisService) {}

  /** @returns null: there is no model, no file, a large one, or no planner that is free */
  async of(
    model: ModelRecord | null,
    kind: TrainingDataKind,
    files: readonly FolderFile[],
    folder: TempFolder,
  ): Promise<DiagnosisDto | null> {
    const file = files.find(({ path }) => path === 'train.jsonl') ?? files[0];
    if (!model || !file || file.bytes > MAX_BYTES) return null;
    try {
      return await this.diagnoses.diagnoseLines(model, kind, await readFile(join(folder.path, file.path)));
    } catch (error) {
      if (error instanceof DiagnosisTooLargeError || error instanceof BodiesBusyError) return null;
      throw error;
    }
  }
}
