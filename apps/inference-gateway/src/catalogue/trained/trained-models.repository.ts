import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { AliasSplit, ResolvedRef, TrainedModel } from './trained-model.js';

/** A reference without its scheme. */
export interface RefName {
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  /** A step; `latest`; any other text: an alias. */
  readonly step: number | string;
}

/** Whose models are listed. */
export interface ReadableProjects {
  /** Null: every entity. */
  readonly entities: readonly string[] | null;
  /** `<entity>/<project>`; null: all projects of the entities. */
  readonly onlyProject: string | null;
}

/** A model, or one of its checkpoints, as a list shows it. */
export interface ListedRef {
  readonly model: Omit<TrainedModel, 'id'>;
  /** A step, or an alias. Null: the model itself. */
  readonly step: number | string | null;
  readonly createdAt: Date;
}

/** Checkpoints of one model in a list; older ones answer all the same. */
const LISTED_CHECKPOINTS = 100;
/** Ours: entries of one list, so that no number of models can make it unbounded. */
const MAX_LISTED = 20_000;

interface RefRow extends TrainedModel {
  checkpointId: string | null;
  step: number | null;
  uri: string | null;
  manifestSha256: string | null;
  committedAt: Date | null;
  /** Of the alias that was asked for; null: it was none. */
  aliasedStep: number | null;
  split: AliasSplit | null;
}

const MODEL = Prisma.sql`m.id, e.name AS entity, p.name AS project, m.name, m.base_model AS "baseModel",
  m.created_at AS "createdAt"`;
const SPLIT = Prisma.sql`(SELECT json_build_object('id', s.id, 'alias', s.alias, 'version', s.version, 'arms', s.arms,
    'ranges', s.ranges, 'shadow', s.shadow)
  FROM alias_splits s WHERE s.project_id = a.project_id AND s.model_id = a.model_id AND s.alias = a.name)`;
const CHECKPOINT = Prisma.sql`c.id AS "checkpointId", c.step, c.uri, c.manifest_sha256 AS "manifestSha256",
  c.created_at AS "committedAt"`;

/** Live models and checkpoints. */
@Injectable()
export class TrainedModelsRepository {
  constructor(private readonly database: Database) {}

  /** Null: there is no such model, or it has no live checkpoint at that step. */
  async find({ entity, project, name, step }: RefName): Promise<ResolvedRef | null> {
    const [row] = await this.query(step, Prisma.sql`e.name = ${entity} AND p.name = ${project} AND m.name = ${name}`);
    return row ? toResolvedRef(row, step) : null;
  }

  /** A model at its newest checkpoint; null: it was deleted. */
  async findNewest(modelId: string): Promise<ResolvedRef | null> {
    const [row] = await this.query('latest', Prisma.sql`m.id = ${modelId}::uuid`);
    return row ? toResolvedRef(row, 'latest') : null;
  }

  /** Newest first: each model, and each of its newest checkpoints. */
  async list({ entities, onlyProject }: ReadableProjects): Promise<ListedRef[]> {
    const inEntities = entities === null ? Prisma.sql`true` : Prisma.sql`e.name = ANY(${[...entities]}::text[])`;
    const inProject = onlyProject === null ? Prisma.sql`true` : Prisma.sql`e.name || '/' || p.name = ${onlyProject}`;
    const rows = await this.database.client.$queryRaw<
      (TrainedModel & { step: number | null; alias: string | null; listedAt: Date })[]
    >`
      SELECT ${MODEL}, l.step, l.alias, l.created_at AS "listedAt"
      FROM entities e JOIN projects p ON p.entity_id = e.id
        JOIN trainable_models m ON m.project_id = p.id AND m.deleted_at IS NULL
        CROSS JOIN LATERAL (
          SELECT NULL::int AS step, NULL AS alias, m.created_at
          UNION ALL
          SELECT NULL, a.name, coalesce((
            SELECT c.created_at FROM checkpoints c WHERE c.project_id = m.project_id AND c.model_id = m.id
              AND c.step = a.step AND c.deleted_at IS NULL), m.created_at)
          FROM checkpoint_aliases a
          WHERE a.project_id = m.project_id AND a.model_id = m.id
          UNION ALL
          (SELECT c.step, NULL, c.created_at FROM checkpoints c
           WHERE c.project_id = m.project_id AND c.model_id = m.id AND c.deleted_at IS NULL
           ORDER BY c.step DESC LIMIT ${LISTED_CHECKPOINTS})
        ) l
      WHERE ${inEntities} AND ${inProject}
      ORDER BY l.created_at DESC, m.id DESC, l.step DESC NULLS LAST, l.alias LIMIT ${MAX_LISTED}`;
    return rows.map(({ step, alias, listedAt, id: _, ...model }) => ({
      model,
      step: step ?? alias,
      createdAt: listedAt,
    }));
  }

  /** One statement over unique indexes. An alias that does not exist finds no row. */
  private query(step: RefName['step'], isMeant: Prisma.Sql): Promise<RefRow[]> {
    const isAlias = step !== 'latest' && typeof step === 'string';
    const alias = isAlias
      ? Prisma.sql`JOIN checkpoint_aliases a ON a.project_id = m.project_id AND a.model_id = m.id AND a.name = ${step}`
      : Prisma.empty;
    const wanted = isAlias ? Prisma.sql`a.step` : Prisma.sql`${step}::bigint`;
    const atStep = step === 'latest' ? Prisma.sql`true` : Prisma.sql`c.step = ${wanted}`;
    return this.database.client.$queryRaw<RefRow[]>`
      SELECT ${MODEL}, ${CHECKPOINT}, ${isAlias ? Prisma.sql`a.step` : Prisma.sql`NULL`}::int AS "aliasedStep",
        ${isAlias ? SPLIT : Prisma.sql`NULL`} AS split
      FROM entities e JOIN projects p ON p.entity_id = e.id
        JOIN trainable_models m ON m.project_id = p.id AND m.deleted_at IS NULL
        ${alias}
        LEFT JOIN LATERAL (
          SELECT * FROM checkpoints c
          WHERE c.project_id = m.project_id AND c.model_id = m.id AND c.deleted_at IS NULL AND ${atStep}
          ORDER BY c.step DESC LIMIT 1
        ) c ON true
      WHERE ${isMeant}`;
  }
}

function toResolvedRef(row: RefRow, asked: RefName['step']): ResolvedRef | null {
  const { checkpointId: id, step, uri, manifestSha256, committedAt, aliasedStep, split, ...model } = row;
  if (id !== null) {
    const checkpoint = { id, step, uri, manifestSha256, createdAt: committedAt } as ResolvedRef['checkpoint'];
    return { model, checkpoint, split };
  }
  return asked === 'latest' || (aliasedStep ?? asked) === 0 ? { model, checkpoint: null, split } : null;
}
