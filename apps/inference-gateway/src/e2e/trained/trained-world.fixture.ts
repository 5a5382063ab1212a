import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type ArtifactStore, openArtifactStore } from '@hone/artifacts';
import { SPLIT_PARTS } from '@hone/contracts';
import { CHECKPOINTS_CHANNEL, newId } from '@hone/database';
import { writeCheckpoint } from '@hone/engine';
import { type RequestOptions, startTestApp, type TestDatabase, type TestResponse } from '@hone/testing';

import type { AliasSplit } from '../../catalogue/trained/trained-model.js';
import { InferenceGatewayModule } from '../../inference-gateway.module.js';
import { anAdapter } from '../../targets/embedded/adapter.fixture.js';
import type { BodyJson } from '../../targets/embedded/embedded.fixture.js';
import { BUNDLED_MODELS } from '../../targets/embedded/embedded-models.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';

export const CHAT = '/v1/chat/completions';
const ASKED = { messages: [{ role: 'user', content: 'repeat: cat' }], temperature: 0, logprobs: true };

const PUT_SPLIT = `INSERT INTO alias_splits AS s
    (project_id, model_id, alias, id, version, arms, ranges, shadow, updated_at, updated_by)
  VALUES ($1, $2, $3, $4, 1, $5::jsonb, $6::jsonb, $7::jsonb, now(), $4)
  ON CONFLICT (project_id, model_id, alias) DO UPDATE SET version = s.version + 1, arms = excluded.arms,
    ranges = excluded.ranges, shadow = excluded.shadow`;

export interface WorldModel {
  readonly id: string;
  readonly projectId: string;
  /** `hone-artifact:///entity/project/name`. */
  readonly ref: string;
}

export interface WorldCheckpoint {
  readonly id: string;
  readonly step: number;
  /** Path of its folder. */
  readonly folder: string;
}

interface ModelOptions {
  readonly name: string;
  readonly entity?: string;
  readonly project?: string;
  readonly baseModel?: string;
  readonly createdAt?: Date;
}

interface CommitOptions {
  /** Equal seeds give equal weights. Default: the step. */
  readonly seed?: number;
  /** Changes the table without a notification. */
  readonly isSilent?: boolean;
  readonly createdAt?: Date;
  /** Folder of a checkpoint that was trained. Default: random weights. */
  readonly trained?: string;
}

/** Writes the tables and the store as the training service and its worker do. */
export class TrainedWorld {
  private readonly store: ArtifactStore;

  /** @param database of the gateways */
  constructor(
    private readonly database: TestDatabase,
    dataDir: string,
  ) {
    this.store = openArtifactStore(dataDir);
  }

  async createModel({ name, entity = 'acme', project = 'demo', ...more }: ModelOptions): Promise<WorldModel> {
    const projectId = await this.projectId(entity, project);
    const id = newId();
    await this.change(id, 0, async () => {
      await this.client.trainableModel.create({
        data: {
          projectId,
          id,
          name,
          baseModel: more.baseModel ?? 'hone-tiny',
          runId: newId(),
          createdBy: newId(),
          ...(more.createdAt && { createdAt: more.createdAt }),
        },
      });
    });
    return { id, projectId, ref: `hone-artifact:///${entity}/${project}/${name}` };
  }

  async commit(model: WorldModel, step: number, options: CommitOptions = {}): Promise<WorldCheckpoint> {
    const id = newId();
    const temp = await this.store.createFolder();
    const { sha256, bytes } = await writeInto(temp.path, step, options);
    const { uri } = await temp.commit(`models/${model.id}/step-${step}-a1-${id}`);
    const create = async () => {
      await this.client.checkpoint.create({
        data: {
          projectId: model.projectId,
          id,
          modelId: model.id,
          step,
          jobId: newId(),
          parentStep: step - 1,
          kind: 'rl',
          uri,
          bytes,
          manifestSha256: sha256,
          ...(options.createdAt && { createdAt: options.createdAt }),
        },
      });
    };
    await (options.isSilent ? create() : this.change(model.id, step, create));
    return { id, step, folder: await this.store.localPath(uri) };
  }

  async deleteCheckpoint(model: WorldModel, step: number): Promise<void> {
    await this.change(model.id, step, async () => {
      await this.client.checkpoint.updateMany({
        where: { modelId: model.id, step },
        data: { deletedAt: new Date() },
      });
    });
  }

  async setAlias({ id, projectId }: WorldModel, name: string, step: number): Promise<void> {
    const key = { projectId_modelId_name: { projectId, modelId: id, name } };
    const set = { step, updatedAt: new Date(), updatedBy: newId() };
    await this.change(id, 0, async () => {
      const create = { projectId, modelId: id, name, ...set };
      await this.client.checkpointAlias.upsert({ where: key, create, update: set });
    });
  }

  async deleteAlias({ id, projectId }: WorldModel, name: string): Promise<void> {
    await this.change(id, 0, async () => {
      await this.client.checkpointAlias.deleteMany({ where: { projectId, modelId: id, name } });
    });
  }

  /** A split of an alias that there is: arms one after the other. @param arms null: the split ends */
  async setSplit(
    { id, projectId }: WorldModel,
    alias: string,
    arms: readonly { name: string; model: string; weight: number }[] | null,
    shadow: AliasSplit['shadow'] = null,
  ): Promise<void> {
    let from = 0;
    const ranges = arms?.map(({ name, weight }) => ({ arm: name, from, to: (from += weight * SPLIT_PARTS) }));
    const columns = [arms, ranges, shadow].map((value) => (value ? JSON.stringify(value) : null));
    await this.change(id, 0, async () => {
      if (arms === null) await this.client.aliasSplit.deleteMany({ where: { modelId: id, alias } });
      else await this.database.sql(PUT_SPLIT, [projectId, id, alias, newId(), ...columns]);
    });
  }

  async deleteModel(model: WorldModel): Promise<void> {
    await this.change(model.id, 0, async () => {
      const data = { deletedAt: new Date() };
      await this.client.trainableModel.updateMany({ where: { id: model.id }, data });
      await this.client.checkpoint.updateMany({ where: { modelId: model.id, deletedAt: null }, data });
    });
  }

  /** Gateway processes that pin a checkpoint. */
  async holdersOf({ id }: WorldCheckpoint): Promise<string[]> {
    const pins = await this.client.checkpointPin.findMany({ where: { checkpointId: id } });
    return pins.map(({ holder }) => holder);
  }

  private get client() {
    return this.database.db.client;
  }

  private change(modelId: string, step: number, work: () => Promise<void>): Promise<void> {
    return this.database.db.transaction(async () => {
      await work();
      await this.database.db.notify(CHECKPOINTS_CHANNEL, JSON.stringify({ model_id: modelId, step }));
    });
  }

  private async projectId(entity: string, project: string): Promise<string> {
    const { id: entityId } = await this.client.entity.upsert({
      where: { name: entity },
      create: { id: newId(), name: entity, kind: 'team' },
      update: {},
    });
    const known = await this.client.project.findFirst({ where: { entityId, name: project } });
    if (known) return known.id;
    const data = { id: newId(), entityId, name: project, createdBy: newId() };
    return (await this.client.project.create({ data })).id;
  }
}

/** Copies a trained checkpoint, or writes one with random weights. */
async function writeInto(
  folder: string,
  step: number,
  { trained, seed }: CommitOptions,
): Promise<{ sha256: string; bytes: number }> {
  if (trained !== undefined) {
    await cp(trained, folder, { recursive: true });
    const manifest = await readFile(join(folder, 'manifest.json'));
    return { sha256: createHash('sha256').update(manifest).digest('hex'), bytes: manifest.length };
  }
  const state = { step, optimizerSteps: 0, rng: null, config: null };
  const parts = { trained: { kind: 'lora', adapter: anAdapter(seed ?? step) }, optimizer: null, state } as const;
  return writeCheckpoint(folder, parts, join(BUNDLED_MODELS, 'hone-tiny'));
}

export interface TrainedGateway extends GatewayApp {
  world: TrainedWorld;
  /** Requests the most likely answer of a model, with log-probabilities. */
  ask(model: string, fields?: object, options?: RequestOptions): Promise<TestResponse>;
}

/** The gateway, with its database and its store. */
export async function startTrainedGateway(upstreams?: object): Promise<TrainedGateway> {
  const gateway = await startGatewayApp(upstreams);
  return asTrained(gateway, gateway, new TrainedWorld(gateway, process.env.HONE_DATA_DIR as string));
}

/** Another process of the same installation. */
export async function startSecondGateway(first: TrainedGateway): Promise<TrainedGateway> {
  const app = await startTestApp(InferenceGatewayModule, { databaseUrl: first.url });
  return asTrained({ ...first, ...app }, first, first.world);
}

function asTrained(gateway: GatewayApp, { writer }: GatewayApp, world: TrainedWorld): TrainedGateway {
  const caller = gateway.as(`Bearer ${writer.key}`);
  const ask: TrainedGateway['ask'] = (model, fields = {}, options = {}) =>
    caller.post(CHAT, { ...ASKED, model, ...fields }, options);
  return { ...gateway, caller, world, ask };
}

/** Fingerprint that identifies the weights. */
export const fingerOf = (response: TestResponse): number[] => {
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  const { choices } = response.json() as BodyJson;
  return (choices[0]?.logprobs?.content ?? []).map(({ logprob }) => logprob);
};
