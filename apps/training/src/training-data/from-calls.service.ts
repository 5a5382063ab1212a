import { createHash } from 'node:crypto';
import { join } from 'node:path';

import type { ArtifactStore, FolderFile, TempFolder } from '@hone/artifacts';
import type { Principal } from '@hone/auth';
import { type CallSelection, CallSelector } from '@hone/call-queries';
import {
  formatArtifactRef,
  MAX_TRAJECTORIES,
  type RawJson,
  type TrainingDataDto,
  type TrainingDataFromCallsDto,
  type TrainingDataKind,
  valueIssue,
} from '@hone/contracts';
import { Database } from '@hone/database';
import { IdempotentWrites, RefScheme, type RequestBody, ValidationError } from '@hone/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { TrainingAccess } from '../access/training-access.js';
import { filesDigest } from '../artifacts/files-digest.js';
import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import type { ModelRecord } from '../models/model.record.js';
import { ModelAccess } from '../models/model-access.js';
import { ARTIFACT_STORE } from '../storage/artifact-store.token.js';
import { arrange, type Split } from './arranging/arrange.js';
import { LIKED } from './arranging/candidate.js';
import { fileOf, previewOf, writeSplits } from './arranging/data-files.js';
import { Spool } from './arranging/spool.js';
import { type Collected, Collector } from './collector.js';
import { CoverageRepository } from './coverage.repository.js';
import { DataDiagnosis } from './data-diagnosis.js';
import { DataPublisher, type PublishTarget } from './data-publisher.js';
import { DataSlots } from './data-slots.js';
import { toArrangeSettings, toCollectSettings } from './from-calls.settings.js';
import { type KindYield, type Proposal, propose, PROPOSED_KINDS, usedCalls } from './kind-proposal.js';
import { type ChosenPolicy, Policies } from './policies.js';
import { Skipped } from './skipped.js';
import { TooManyTrajectoriesError } from './training-data.errors.js';

/** Data that is ready to be published. */
interface MadeData {
  readonly files: FolderFile[];
  readonly splits: Split[];
  readonly answer: Omit<TrainingDataDto, 'url' | 'splits'>;
}

/** Calls of which data is made. */
interface DataSource {
  /** Null: there is no project. */
  readonly selection: CallSelection | null;
  readonly spool: Spool;
  /** A further one beside it, of a name of its own. */
  readonly openSpool: (name: string) => Promise<Spool>;
  /** The model that is to be trained; null: none is named. */
  readonly wanted: ModelRecord | null;
}

/** Makes training data of judged calls. */
@Injectable()
export class FromCallsService {
  constructor(
    private readonly selector: CallSelector,
    private readonly access: TrainingAccess,
    private readonly models: ModelAccess,
    private readonly slots: DataSlots,
    private readonly collector: Collector,
    private readonly policies: Policies,
    private readonly coverage: CoverageRepository,
    private readonly diagnosis: DataDiagnosis,
    private readonly publisher: DataPublisher,
    private readonly writes: IdempotentWrites,
    private readonly database: Database,
    private readonly scheme: RefScheme,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    @Inject(TRAINING_CONFIG) private readonly config: TrainingConfig,
  ) {}

  /**
   * Stores the data as the next version of an artifact, with the ids of its calls. The caller reads the calls of the
   * project, and writes to it.
   *
   * @throws ValidationError a bad query; no call is left
   * @throws AccessDeniedError, ModelNotFoundError, IdempotencyKeyInvalidError
   * @throws TooManyCallsError, TooManyTrajectoriesError, ArtifactTooLargeError, DataBusyError, StorageUnavailableError
   */
  async make(
    author: Principal,
    body: TrainingDataFromCallsDto,
    reply: FastifyReply,
  ): Promise<TrainingDataDto | RawJson> {
    if (body.kind === 'rl' && body.corrections === 'only') {
      throw new ValidationError([valueIssue('Corrections are examples: kind should be sft', ['body', 'corrections'])]);
    }
    const entity = body.entity ?? author.defaultEntity;
    const { project } = body;
    const selected = this.selector.compile({ ...body.source, project_id: `${entity}/${project}` }, [
      'body',
      'source',
      'query',
    ]);
    const grant = await this.access.grantWrite(author, entity, project);
    const projectRowId = await this.access.findReadableCalls(author, entity, project);
    const wanted = body.model_id ? await this.models.getReadable(author, body.model_id) : null;
    const key = this.writes.keyOf(reply.request);
    const target: PublishTarget = { author, grant, entity, project, name: body.name };
    const selection = projectRowId === null ? null : await this.selector.within(projectRowId, selected, true);
    return this.slots.run(async () => {
      const [folder, spooled] = [await this.store.createFolder(), await this.store.createFolder()];
      const openSpool = (name: string) => Spool.create(join(spooled.path, name));
      const spool = await openSpool('spool');
      try {
        const made = await this.makeData(author, body, { selection, spool, openSpool, folder, wanted });
        if (body.dry_run) return { url: null, splits: null, ...made.answer };
        const publish = () => this.publish(target, folder, made);
        if (key === undefined) return await this.database.transaction(publish);
        const bodyHash = createHash('sha256')
          .update((reply.request.body as RequestBody).bytes)
          .digest();
        return await this.writes.once(reply.request, reply, { key, scope: '', bodyHash }, publish);
      } finally {
        await spool.close();
        await Promise.all([folder.discard(), spooled.discard()]);
      }
    });
  }

  private async makeData(
    author: Principal,
    body: TrainingDataFromCallsDto,
    from: DataSource & { readonly folder: TempFolder },
  ): Promise<MadeData> {
    const { spool, folder, wanted } = from;
    const proposed = body.kind ? null : await this.propose(author, body, from);
    const kind = body.kind ?? (proposed as Proposal).kind;
    const { collected, chosen, splits } = await this.arrange(author, body, kind, from);
    const isRl = kind === 'rl';
    if (splits.length === 0 && !body.dry_run) throw nothingLeft(collected);
    if (isRl) assertTrainable(splits);
    const files = await writeSplits(splits, kind, spool, folder, this.config.artifactLimitBytes);
    const answer = {
      kind,
      reason: proposed?.reason ?? null,
      digest: filesDigest(files),
      counts: countsOf(splits, collected, kind),
      skipped: collected.skipped.toList(),
      policy: policyOf(splits, chosen),
      coverage:
        kind === 'distill' && from.selection
          ? await this.coverage.find(from.selection.projectRowId, modelsOf(splits))
          : null,
      preview: await previewOf(splits, kind, spool),
      diagnosis: await this.diagnosis.of(isRl ? (chosen?.model ?? null) : wanted, kind, files, folder),
    };
    return { files, splits, answer };
  }

  private async arrange(
    author: Principal,
    body: TrainingDataFromCallsDto,
    kind: TrainingDataKind,
    { selection, spool, wanted }: DataSource,
  ): Promise<{ collected: Collected; chosen: ChosenPolicy | null; splits: Split[] }> {
    const collected: Collected = selection
      ? await this.collector.collect(selection, toCollectSettings(body, kind), spool)
      : { entries: [], spool, skipped: new Skipped(), calls: 0 };
    const { chosen, unknown } =
      kind === 'rl'
        ? await this.policies.choose(author, collected.entries, wanted)
        : { chosen: null, unknown: new Set<string>() };
    const policy = chosen && { modelId: chosen.model.id, latestStep: chosen.latestStep };
    const splits = arrange(collected.entries, toArrangeSettings(body, kind, policy, unknown), collected.skipped);
    return { collected, chosen, splits };
  }

  /** Reads the calls once for each kind. */
  private async propose(author: Principal, body: TrainingDataFromCallsDto, from: DataSource): Promise<Proposal> {
    const yields: KindYield[] = [];
    let calls = 0;
    for (const kind of PROPOSED_KINDS) {
      if (body.corrections === 'only' && kind !== 'preference') continue;
      const spool = await from.openSpool(kind);
      const { splits, collected } = await this.arrange(author, body, kind, { ...from, spool }).finally(() =>
        spool.discard(),
      );
      const labels = new Set(
        collected.entries.map(({ reward }) => (reward ?? 0) >= (body.accept?.min_reward ?? LIKED)),
      );
      const isTooLarge = kind === 'rl' && splits.some((split) => sizeOf(split) > MAX_TRAJECTORIES);
      const isOneSided = kind === 'thumbs' && labels.size < 2;
      yields.push({ kind, used: usedCalls(splits, kind), mayServe: !isTooLarge && !isOneSided });
      calls = collected.calls;
    }
    return propose(yields, calls);
  }

  /** In a transaction. The files are in the store before the rows that name them. */
  private async publish(
    target: PublishTarget,
    folder: TempFolder,
    { splits, answer }: MadeData,
  ): Promise<TrainingDataDto> {
    const { kind, digest, counts, policy } = answer;
    const metadata = { made_from: 'calls', kind, counts, policy };
    const version = await this.publisher.publish(target, { folder, splits, digest, metadata });
    const { entity, project, name } = target;
    const ref = { scheme: this.scheme.name, entity, project, name, version };
    const urls = splits.map((split) => [split.name, formatArtifactRef({ ...ref, file: fileOf(split) })]);
    return { url: formatArtifactRef(ref), splits: Object.fromEntries(urls), ...answer };
  }
}

function nothingLeft({ calls, skipped }: Collected): ValidationError {
  const reasons = calls === 0 ? 'the query selects none' : skipped.toString();
  const wayOut = skipped.wayOut();
  const sentence = `No call is left to learn from: ${reasons}${wayOut && `. Of ${wayOut}`}`;
  return new ValidationError([valueIssue(sentence, ['body', 'source'])]);
}

const sizeOf = ({ lines }: Split): number => lines.reduce((sum, line) => sum + line.length, 0);

function assertTrainable(splits: readonly Split[]): void {
  for (const split of splits) if (sizeOf(split) > MAX_TRAJECTORIES) throw new TooManyTrajectoriesError(split.name);
}

function countsOf(splits: readonly Split[], { calls }: Collected, kind: TrainingDataKind): TrainingDataDto['counts'] {
  const lines = splits.flatMap((split) => split.lines);
  const entries = lines.flat();
  const used = usedCalls(splits, kind);
  const isRl = kind === 'rl';
  return {
    calls,
    used,
    lines: lines.length,
    untrainable: isRl ? entries.length - used : 0,
    groups: isRl ? lines.length : 0,
    trajectories: isRl ? entries.length : 0,
    tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

const modelsOf = (splits: readonly Split[]): ReadonlySet<string> =>
  new Set(splits.flatMap(({ lines }) => lines.flat()).flatMap(({ model }) => model ?? []));

function policyOf(splits: readonly Split[], chosen: ChosenPolicy | null): TrainingDataDto['policy'] {
  const steps = splits.flatMap(({ lines }) => lines.flat()).map(({ policy }) => policy?.step ?? 0);
  if (!chosen || steps.length === 0) return null;
  const oldest = steps.reduce((least, step) => Math.min(least, step), Infinity);
  const { latestStep } = chosen;
  return {
    model_id: chosen.model.id,
    latest_step: latestStep,
    oldest_step: oldest,
    max_staleness: Math.max(0, latestStep - oldest),
  };
}
