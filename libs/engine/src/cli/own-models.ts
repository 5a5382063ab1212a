import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { importGguf } from '../gguf/import/index.js';
import {
  assertWeightsFit,
  type BaseModel,
  BaseModelFolders,
  BaseModelIdError,
  type BaseModelScan,
  countParameters,
  DEFAULT_MAX_PARAMS,
  fetchHubModel,
  hashFile,
  type HubClient,
  HubUnavailableError,
  isEmbeddingFolder,
  isModelId,
  openBaseModel,
  type Pooling,
  takeEmbeddingFiles,
  writePooling,
} from '../model/index.js';
import { assertTemplateWorks, writeChatTemplate } from './chat-templates.js';
import { findModelRoutes } from './model-routes.js';
import {
  ChatTemplateRefusedError,
  ModelExistsError,
  ModelInUseError,
  ModelNotThereError,
  PoolingRefusedError,
} from './own-models.errors.js';

/** A model that was added. */
export type AddedModel = AddedTextModel | AddedEmbeddingModel;

/** A model that writes text. */
export interface AddedTextModel {
  readonly kind: 'text';
  readonly id: string;
  readonly parameters: number;
  /** The files of its weights, with the SHA-256 (hex) of each. */
  readonly files: readonly WeightsFile[];
  /** Without one it answers no chat, and trains on none. */
  readonly hasChatTemplate: boolean;
}

/** A model that embeds texts. */
export interface AddedEmbeddingModel {
  readonly kind: 'embedding';
  readonly id: string;
  /** Numbers of an embedding. */
  readonly dimensions: number;
  /** Tokens of the longest text. */
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** Whether the folder, or the caller, says how to pool. */
  readonly declaresPooling: boolean;
  readonly files: readonly WeightsFile[];
}

interface WeightsFile {
  readonly name: string;
  /** Hex. */
  readonly sha256: string;
}

/** Where a model comes from: a GGUF file, a folder in the Hugging Face layout, or else an id of the hub. */
export type ModelSource =
  { readonly kind: 'gguf' | 'folder'; readonly path: string } | { readonly kind: 'hub'; readonly id: string };

/** How a model is added. */
export interface AddOptions {
  /** Absent: the name of its file, folder or the hub. */
  readonly id?: string;
  /** Name of a format that is built in, or path of a file. Absent: the model's own. */
  readonly chatTemplate?: string;
  /** How a model that embeds texts pools. Absent: as its folder says, else by the mean. */
  readonly pooling?: Pooling;
}

/** Of what comes from the hub, until it is whole. */
const FETCHED = '.fetched';

/** The user's own base models in a folder. A service that reads the folder sees each change within seconds. */
export class OwnModels {
  /**
   * @param hub null: it is not asked
   * @param dataDir folder of the installation's files, where a gateway keeps which routes name which models
   */
  constructor(
    private readonly modelsDir: string,
    private readonly hub: HubClient | null,
    private readonly dataDir: string,
    private readonly maxParams?: number,
  ) {}

  /**
   * Adds a model under an id. It is there as a whole or not at all: what cannot be loaded leaves nothing. What came
   * from the hub is kept when the rest does not come: adding the model again goes on from there.
   *
   * @throws ModelExistsError
   * @throws BaseModelIdError the id cannot name a model
   * @throws ChatTemplateRefusedError its template, or the one that was asked for, is of no use
   * @throws PoolingRefusedError a way of pooling was asked for, and it embeds no texts
   * @throws EngineError what is wrong with the files, or why they could not be fetched
   */
  async add(source: ModelSource, { id = idOf(source), ...options }: AddOptions = {}): Promise<AddedModel> {
    const target = this.folderOf(id);
    if (await exists(target)) throw new ModelExistsError(id, target);
    if (source.kind === 'hub' && !isModelId(source.id)) throw new BaseModelIdError(source.id);
    const staging = join(this.modelsDir, source.kind === 'hub' ? FETCHED : `.adding-${randomUUID()}`);
    const folder = join(staging, ...(source.kind === 'hub' ? source.id.split('/') : ['model']));
    try {
      await this.bring(source, staging, folder);
      const added = (await isEmbeddingFolder(folder))
        ? await this.checkEmbedding(id, folder, options)
        : await this.checkText(id, folder, options);
      await mkdir(dirname(target), { recursive: true });
      await rename(folder, target);
      return added;
    } catch (error) {
      // A later download may complete the rest.
      if (!(error instanceof HubUnavailableError)) await rm(folder, { recursive: true, force: true });
      throw error;
    } finally {
      await removeEmpty(dirname(folder), staging);
    }
  }

  /** All models of the folder: those that load, and those that do not, with the reason. */
  list(): Promise<BaseModelScan> {
    const sources = { bundledDir: join(this.modelsDir, '.none'), modelsDir: this.modelsDir };
    return new BaseModelFolders(sources, { maxParams: this.maxParams }).scan();
  }

  /** @throws ModelNotThereError, ModelInUseError, BaseModelIdError */
  async remove(id: string): Promise<void> {
    const target = this.folderOf(id);
    if (!(await exists(target))) throw new ModelNotThereError(id, this.modelsDir);
    const routes = await findModelRoutes(this.dataDir, id);
    if (routes !== null) throw new ModelInUseError(id, routes.ids, routes.file);
    // First renamed to a name that nobody reads: a service never sees half of the model.
    const leaving = join(this.modelsDir, `.removing-${randomUUID()}`);
    await rename(target, leaving);
    await rm(leaving, { recursive: true, force: true });
  }

  private folderOf(id: string): string {
    if (!isModelId(id)) throw new BaseModelIdError(id);
    return join(this.modelsDir, ...id.split('/'));
  }

  private async bring(source: ModelSource, staging: string, folder: string): Promise<void> {
    await mkdir(dirname(folder), { recursive: true });
    if (source.kind === 'hub') await this.fetch(source.id, staging);
    else if (source.kind === 'gguf') await importGguf(source.path, folder);
    else if (await isEmbedding(source.path)) await copyEmbeddingFiles(source.path, folder);
    else await copyFiles(source.path, folder);
  }

  private async fetch(id: string, into: string): Promise<void> {
    if (this.hub === null) throw new ModelNotThereError(id, this.modelsDir);
    await fetchHubModel(id, this.hub, into, { maxParams: this.maxParams ?? DEFAULT_MAX_PARAMS });
  }

  private async checkText(
    id: string,
    folder: string,
    { chatTemplate, pooling }: Omit<AddOptions, 'id'>,
  ): Promise<AddedTextModel> {
    if (pooling !== undefined) throw new PoolingRefusedError();
    if (chatTemplate !== undefined) await writeChatTemplate(folder, chatTemplate, { maxParams: this.maxParams });
    const model = await this.check(folder);
    const files = await hashWeights(folder);
    return { kind: 'text', id, parameters: countParameters(model.config), files, hasChatTemplate: hasTemplate(model) };
  }

  /** Opens the graph, and embeds with it. */
  private async checkEmbedding(
    id: string,
    folder: string,
    { chatTemplate, pooling: wanted }: Omit<AddOptions, 'id'>,
  ): Promise<AddedEmbeddingModel> {
    if (chatTemplate !== undefined) throw new ChatTemplateRefusedError('a model that embeds texts answers no chats');
    if (wanted !== undefined) await writePooling(folder, wanted);
    // Loads the runtime, which no other command needs.
    const { EmbeddingModel } = await import('../embed/embedding-model.js');
    const model = await EmbeddingModel.open(folder, availableParallelism(), this.maxParams);
    await model.close();
    const { dimensions, maxTokens, pooling, declaresPooling, graph } = model.folder;
    const files = [{ name: relative(folder, graph), sha256: await hashFile(graph) }];
    return { kind: 'embedding', id, dimensions, maxTokens, pooling, declaresPooling, files };
  }

  private async check(folder: string): Promise<BaseModel> {
    const model = await openBaseModel(folder, { maxParams: this.maxParams });
    await assertWeightsFit(folder, model.config);
    assertTemplateWorks(model);
    return model;
  }
}

const hasTemplate = ({ chatTemplate }: BaseModel): boolean => chatTemplate.source.template !== null;

/** The files that hold weights, in order. */
async function hashWeights(folder: string): Promise<WeightsFile[]> {
  const names = (await readdir(folder)).filter((name) => /\.(gguf|safetensors)$/.test(name)).sort();
  return Promise.all(names.map(async (name) => ({ name, sha256: await hashFile(join(folder, name)) })));
}

/** What an argument of a command line names. */
export async function toSource(argument: string): Promise<ModelSource> {
  const path = resolve(argument);
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return { kind: 'folder', path };
  if (found?.isFile()) return { kind: 'gguf', path };
  return { kind: 'hub', id: argument };
}

/** The file's or folder's name, without what an id cannot have. */
function idOf(source: ModelSource): string {
  if (source.kind === 'hub') return source.id;
  const name = basename(source.path).replace(/\.gguf$/i, '');
  return name
    .replace(/[^\w.-]+|\.{2,}/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 96);
}

/** The files of a folder, without folders in it. Shares their blocks where the file system can. */
async function copyFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = join(from, entry.name);
    if (entry.name.startsWith('.') || !(await stat(path)).isFile()) continue;
    await copyFile(path, join(to, entry.name), constants.COPYFILE_FICLONE);
  }
}

/** A folder without a configuration is refused with what is missing, as every other. */
const isEmbedding = async (folder: string): Promise<boolean> =>
  (await exists(join(folder, 'config.json'))) && isEmbeddingFolder(folder);

async function copyEmbeddingFiles(from: string, to: string): Promise<void> {
  const take = async (file: string): Promise<boolean> => {
    const path = join(from, file);
    if (!(await exists(path))) return false;
    await mkdir(dirname(join(to, file)), { recursive: true });
    await copyFile(path, join(to, file), constants.COPYFILE_FICLONE);
    return true;
  };
  await take('config.json');
  await takeEmbeddingFiles(to, take);
}

async function removeEmpty(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => undefined);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
