import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { EngineError } from '../errors.js';
import { openBaseModel } from './base-model.js';
import { type BaseModelSources, findBaseModel } from './find-base-model.js';
import { listBaseModels } from './list-base-models.js';
import type { OpenBaseModelOptions } from './model-folder.js';
import { assertWeightsFit } from './weights/weights.js';

/** A folder that looks like a base model, and cannot be loaded. */
export interface RefusedBaseModel {
  readonly id: string;
  /** A sentence that names the file and what was expected. */
  readonly reason: string;
}

export interface BaseModelScan {
  /** Ids of the models that load, the bundled ones first. */
  readonly ids: readonly string[];
  readonly refused: readonly RefusedBaseModel[];
}

/** The result of opening a folder, and the state of its files at that time. */
interface Finding {
  readonly state: string;
  /** Null: it loads. */
  readonly reason: string | null;
}

/**
 * The base models in local folders that can be loaded. Each scan looks at every folder and opens those that have
 * changed: configuration, tokenizer, and the headers of the weights.
 */
export class BaseModelFolders {
  private findings = new Map<string, Finding>();

  constructor(
    private readonly sources: BaseModelSources,
    private readonly options: OpenBaseModelOptions = {},
  ) {}

  async scan(): Promise<BaseModelScan> {
    const findings = new Map<string, Finding>();
    for (const id of await listBaseModels(this.sources)) {
      const finding = await this.look(id);
      if (finding !== null) findings.set(id, finding);
    }
    this.findings = findings;
    const all = [...findings];
    return {
      ids: all.flatMap(([id, { reason }]) => (reason === null ? [id] : [])),
      refused: all.flatMap(([id, { reason }]) => (reason === null ? [] : [{ id, reason }])),
    };
  }

  /** Null: the folder was deleted in the meantime. */
  private async look(id: string): Promise<Finding | null> {
    const before = this.findings.get(id);
    try {
      const { bundledDir, modelsDir } = this.sources;
      const directory = await findBaseModel(id, { bundledDir, modelsDir });
      const state = await stateOfFolder(directory);
      return before?.state === state ? before : { state, reason: await this.reasonAgainst(directory) };
    } catch (error) {
      if (error instanceof EngineError) return { state: '', reason: error.message };
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  private async reasonAgainst(directory: string): Promise<string | null> {
    try {
      const { config, chatTemplate } = await openBaseModel(directory, this.options);
      chatTemplate.assertValid();
      await assertWeightsFit(directory, config);
      return null;
    } catch (error) {
      if (error instanceof EngineError) return error.message;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
      // An unexpected error in the files of one model does not hide the others.
      return `${directory}: it cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
    }
  }
}

/** Names, sizes and times of the files of a folder: a change of content nearly always changes them. */
export async function stateOfFolder(directory: string): Promise<string> {
  const names = (await readdir(directory)).sort();
  const states = await Promise.all(
    names.map(async (name) => {
      const { ino, size, mtimeMs } = await stat(join(directory, name));
      return `${name} ${ino} ${size} ${mtimeMs}`;
    }),
  );
  return states.join('\n');
}
