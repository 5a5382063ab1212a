import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { EngineError } from '../errors.js';
import { openBaseModel } from './base-model.js';
import { isEmbeddingFolder, readEmbeddingFolder } from './embedding/embedding-folder.js';
import { type BaseModelSources, findBaseModel } from './find-base-model.js';
import { listBaseModels } from './list-base-models.js';
import type { OpenBaseModelOptions } from './model-folder.js';
import { readWordPieceFile } from './tokenizer/word-piece/word-piece-file.js';
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
  readonly isEmbedding: boolean;
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

  /** Whether the model embeds texts rather than writes them, as of the last scan. */
  isEmbedding(id: string): boolean {
    return this.findings.get(id)?.isEmbedding ?? false;
  }

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
      return before?.state === state ? before : { state, ...(await this.examine(directory)) };
    } catch (error) {
      if (error instanceof EngineError) return { state: '', isEmbedding: false, reason: error.message };
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  private async examine(directory: string): Promise<Omit<Finding, 'state'>> {
    let isEmbedding = false;
    try {
      isEmbedding = await isEmbeddingFolder(directory);
      await (isEmbedding ? this.readEmbedding(directory) : this.readBase(directory));
      return { isEmbedding, reason: null };
    } catch (error) {
      if (error instanceof EngineError) return { isEmbedding, reason: error.message };
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
      // An unexpected error in the files of one model does not hide the others.
      const reason = error instanceof Error ? error.message : String(error);
      return { isEmbedding, reason: `${directory}: it cannot be read: ${reason}.` };
    }
  }

  private async readBase(directory: string): Promise<void> {
    const { config, chatTemplate } = await openBaseModel(directory, this.options);
    chatTemplate.assertValid();
    await assertWeightsFit(directory, config);
  }

  /** The graph is opened at the first request: that takes a runtime, and as much memory as the model. */
  private async readEmbedding(directory: string): Promise<void> {
    await readEmbeddingFolder(directory, this.options.maxParams);
    await readWordPieceFile(join(directory, 'tokenizer.json'));
  }
}

/**
 * Names, sizes and times of the files of a folder, and of those in the folders in it, where embedding models keep some: a
 * change of content nearly always changes them.
 */
export async function stateOfFolder(directory: string): Promise<string> {
  const entries = await readdir(directory, { withFileTypes: true });
  const own = await Promise.all(entries.map(({ name }) => stateOfFile(directory, name)));
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const inner = await Promise.all(folders.map(({ name }) => stateOfInnerFolder(directory, name)));
  return [...own, ...inner.flat()].sort().join('\n');
}

async function stateOfFile(directory: string, name: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(join(directory, name));
  return `${name} ${ino} ${size} ${mtimeMs}`;
}

/** Most models have no such folders: what cannot be read there is no reason against them. */
async function stateOfInnerFolder(directory: string, folder: string): Promise<string[]> {
  const names = await readdir(join(directory, folder)).catch(() => []);
  return Promise.all(
    names.map((name) => stateOfFile(directory, join(folder, name)).catch(() => `${join(folder, name)} unreadable`)),
  );
}
